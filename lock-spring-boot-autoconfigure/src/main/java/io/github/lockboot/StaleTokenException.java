package io.github.lockboot;

/**
 * A resource has refused a write because a later holder of the lock was there before:
 * whoever writes has lost the lock, perhaps without having noticed. Nothing was written.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class StaleTokenException extends LockException {

	private final long fencingToken;

	private final long latestToken;

	/**
	 * Create an exception.
	 * @param guarded what is guarded: the name of the lock, or the key of the resource
	 * @param fencingToken the token of the write that was refused
	 * @param latestToken the greater token that the resource has seen
	 */
	public StaleTokenException(String guarded, long fencingToken, long latestToken) {
		super(guarded, "The write to '" + guarded + "' was refused: its fencing token is " + fencingToken
				+ ", and a later holder of the lock has been there with " + latestToken, null);
		this.fencingToken = fencingToken;
		this.latestToken = latestToken;
	}

	/**
	 * Return the fencing token of the write that was refused.
	 * @return the token
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

	/**
	 * Return the greatest fencing token that the resource has seen.
	 * @return the token of a later holder
	 */
	public long latestToken() {
		return this.latestToken;
	}

}
