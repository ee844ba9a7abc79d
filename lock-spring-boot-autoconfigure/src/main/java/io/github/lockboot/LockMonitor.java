package io.github.lockboot;

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

}
