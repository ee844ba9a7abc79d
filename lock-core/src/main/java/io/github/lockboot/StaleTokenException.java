package io.github.lockboot;

/**
 * Thrown when a resource rejects a write because a later holder of the lock has already
 * written. The rejected holder has lost the lock, possibly without detecting it. Nothing
 * was written.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class StaleTokenException extends LockException {

	private final long fencingToken;

	private final long latestToken;

	/**
	 * Create an exception.
	 * @param guarded name of the lock, or key of the guarded resource
	 * @param fencingToken the token of the write that was refused
	 * @param latestToken the greater token that the resource has already seen
	 */
	public StaleTokenException(String guarded, long fencingToken, long latestToken) {
		super(guarded, "The write to '" + guarded + "' was refused: its fencing token is " + fencingToken
				+ ", and a later holder of the lock has used " + latestToken, null);
		this.fencingToken = fencingToken;
		this.latestToken = latestToken;
	}

	/**
	 * Return the fencing token of the write that was refused.
	 */
	public long fencingToken() {
		return this.fencingToken;
	}

	/**
	 * Return the greatest fencing token that the resource has seen, which belongs to a
	 * later holder.
	 */
	public long latestToken() {
		return this.latestToken;
	}

}
