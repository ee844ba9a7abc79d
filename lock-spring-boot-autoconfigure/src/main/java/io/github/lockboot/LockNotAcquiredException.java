package io.github.lockboot;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The lock stayed busy for the whole wait time. The section did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockNotAcquiredException extends LockException {

	private final Duration waited;

	private final @Nullable Duration remaining;

	/**
	 * Create an exception.
	 * @param lockName name of the lock
	 * @param waited how long the caller waited
	 * @param remaining how long the lease still runs if it is not renewed, also one that
	 * is kept for the shortest hold after its holder, or {@code null} if that is not
	 * known
	 */
	public LockNotAcquiredException(String lockName, Duration waited, @Nullable Duration remaining) {
		super(lockName,
				"Lock '" + lockName + "' was not acquired within " + waited.toMillis() + " ms"
						+ ((remaining != null) ? "; its lease runs for another " + remaining.toMillis() + " ms" : ""),
				null);
		this.waited = waited;
		this.remaining = remaining;
	}

	/**
	 * Return how long the caller waited.
	 * @return the time waited
	 */
	public Duration waited() {
		return this.waited;
	}

	/**
	 * Return how long the lease still ran when last heard of.
	 * @return the remaining time, or {@code null} if it is not known
	 */
	public @Nullable Duration remaining() {
		return this.remaining;
	}

}
