package io.github.lockboot;

/**
 * Thrown when a thread is interrupted before or while it waits for a lock. The interrupt
 * flag of the thread is set, and the thread has not acquired the lock.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockInterruptedException extends LockException {

	/**
	 * Create an exception.
	 * @param lockName name of the lock
	 */
	public LockInterruptedException(String lockName) {
		super(lockName, "Interrupted while waiting for lock '" + lockName + "'", null);
	}

}
