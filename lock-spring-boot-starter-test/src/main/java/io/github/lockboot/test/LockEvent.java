package io.github.lockboot.test;

import io.github.lockboot.LockRequest;

/**
 * Something that happened to a lock.
 *
 * @param kind what
 * @param request to which
 */
record LockEvent(Kind kind, LockRequest request) {

	enum Kind {

		ACQUIRED("acquired"), NOT_ACQUIRED("failed to acquire"), RELEASED("released"), LOST("lost");

		private final String text;

		Kind(String text) {
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

	@Override
	public String toString() {
		return this.kind + " '" + this.request.name() + "'";
	}

}
