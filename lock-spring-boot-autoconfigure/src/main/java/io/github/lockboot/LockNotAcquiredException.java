package io.github.lockboot;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a lock stayed busy for the whole wait time. The section did not run.
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
	 * @param remaining how long the lease of the present holder, or the rest of a minimum
	 * hold time, still runs without a renewal; {@code null} if unknown
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
	 * {@return how long the caller waited}
	 */
	public Duration waited() {
		return this.waited;
	}

	/**
	 * {@return how long the lease still ran when the store last reported it, or
	 * {@code null} if unknown}
	 */
	public @Nullable Duration remaining() {
		return this.remaining;
	}

}
