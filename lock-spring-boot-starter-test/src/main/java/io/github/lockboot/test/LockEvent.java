package io.github.lockboot.test;

import io.github.lockboot.LockRequest;

/**
 * An event of a lock.
 *
 * @param kind the kind of event
 * @param request the request for the lock
 * @since 1.0.0
 */
public record LockEvent(Kind kind, LockRequest request) {

	/**
	 * The kinds of events.
	 */
	public enum Kind {

		/**
		 * The application acquired the lock.
		 */
		ACQUIRED("acquired"),

		/**
		 * The lock stayed busy, or the request failed.
		 */
		NOT_ACQUIRED("failed to acquire"),

		/**
		 * The application released the lock.
		 */
		RELEASED("released"),

		/**
		 * The application lost the lock while holding it.
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
