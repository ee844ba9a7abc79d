package io.github.lockboot;

/**
 * The thread was interrupted when it asked for a lock, or while it waited for it. Its
 * interrupt flag is set, and it does not hold the lock by that call.
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
