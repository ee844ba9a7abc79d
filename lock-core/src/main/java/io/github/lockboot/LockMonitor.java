package io.github.lockboot;

import java.util.Map;

/**
 * Shows the locks of this instance of an application. The templates of the library
 * implement this interface. Implementations are thread-safe.
 *
 * @since 1.0.0
 */
public interface LockMonitor {

	/**
	 * Return the locks that this instance holds, waits for or has lost recently. This
	 * method sends no command to the store; for the state in the store use
	 * {@link LockOperations#inspect}.
	 * @return the activity; a lock that changes meanwhile has its state before or after
	 * the change
	 */
	LockActivity activity();

	/**
	 * Return the state of this instance's connection to the store, for display. This
	 * method sends no command to the store.
	 * @return details by name; empty if the store has none
	 */
	default Map<String, String> connection() {
		return Map.of();
	}

	/**
	 * Check that the store grants locks: acquire and release a lock that no caller uses.
	 * This method returns within five seconds.
	 * @throws LockUnavailableException if the store fails or does not reply in time; the
	 * message says what to change, as far as this is known
	 */
	default void probe() {
	}

}
