package io.github.lockboot;

/**
 * The thread was interrupted before or while it waited for a lock. Its interrupt flag is
 * set, and it has not acquired the lock.
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
