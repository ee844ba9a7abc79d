package io.github.lockboot.test;

import io.github.lockboot.LockRequest;

/**
 * Something that happened to a lock.
 *
 * @param kind what
 * @param request to which
 * @since 1.0.0
 */
public record LockEvent(Kind kind, LockRequest request) {

	/**
	 * What can happen to a lock.
	 */
	public enum Kind {

		/**
		 * The application has taken it.
		 */
		ACQUIRED("acquired"),

		/**
		 * It stayed busy, or could not be asked for.
		 */
		NOT_ACQUIRED("failed to acquire"),

		/**
		 * The application has given it back.
		 */
		RELEASED("released"),

		/**
		 * The application has lost it while it held it.
		 */
		LOST("lost");

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
