package io.github.lockboot;

import java.time.Duration;

/**
 * The lease of a lock was lost while its holder still worked: it ran out before it could
 * be renewed, or somebody took the lock away. Another holder may have begun.
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
	 * @param reason what is known of the loss, the end of a sentence
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
	 * @return the time held
	 */
	public Duration held() {
		return this.held;
	}

	/**
	 * Return the fencing token of the lost hold.
	 * @return the token
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

}
