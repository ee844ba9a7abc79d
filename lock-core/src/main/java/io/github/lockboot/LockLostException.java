package io.github.lockboot;

import java.time.Duration;

/**
 * Thrown when the lease of a lock was lost while the lock was held: the lease expired
 * before it could be renewed, or the lock was released by force. Another holder may have
 * acquired the lock.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockLostException extends LockException {

	private final Duration held;

	private final long fencingToken;

	/**
	 * Create an exception.
	 * @param lockName name of the lock
	 * @param reason why the lease was lost, as the end of a sentence
	 * @param held how long the lock was held
	 * @param fencingToken the token of the lost hold
	 */
	public LockLostException(String lockName, String reason, Duration held, long fencingToken) {
		super(lockName, "Lock '" + lockName + "' was lost after " + held.toMillis() + " ms: " + reason, null);
		this.held = held;
		this.fencingToken = fencingToken;
	}

	/**
	 * Return how long the lock was held before it was lost.
	 */
	public Duration held() {
		return this.held;
	}

	/**
	 * Return the fencing token of the lost hold.
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

}
