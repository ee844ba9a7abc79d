package io.github.lockboot;

import java.util.Map;

/**
 * Shows the locks of this instance of an application. The templates of the library
 * implement it. Thread-safe.
 *
 * @since 1.0.0
 */
public interface LockMonitor {

	/**
	 * Return the locks that this instance holds, waits for and has lost lately. Sends no
	 * command to the store; for the state in the store use
	 * {@link LockOperations#inspect}.
	 * @return the activity; of a lock that changes meanwhile, the state before or after
	 * the change
	 */
	LockActivity activity();

	/**
	 * Return the state of this instance's connection to the store, for people. Sends no
	 * command.
	 * @return details by their names; empty if the store has none
	 */
	default Map<String, String> connection() {
		return Map.of();
	}

}
