package io.github.lockboot;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a lock stayed busy for the whole wait time. The section did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockNotAcquiredException extends LockException {

	private static final int MOST_IN_MESSAGE = 3;

	private final Duration waited;

	private final @Nullable Duration remaining;

	private final List<LockState.Holder> heldBy;

	/**
	 * Create an exception without holders.
	 * @param lockName name of the lock
	 * @param waited how long the caller waited
	 * @param remaining how long the lease of the present holder, or the rest of a minimum
	 * hold time, still runs without a renewal; {@code null} if unknown
	 */
	public LockNotAcquiredException(String lockName, Duration waited, @Nullable Duration remaining) {
		this(lockName, waited, remaining, List.of());
	}

	/**
	 * Create an exception.
	 * @param lockName name of the lock
	 * @param waited how long the caller waited
	 * @param remaining how long the lease still runs; {@code null} if unknown
	 * @param heldBy who holds the lock, as far as is known
	 */
	public LockNotAcquiredException(String lockName, Duration waited, @Nullable Duration remaining,
			List<LockState.Holder> heldBy) {
		super(lockName,
				"Lock '" + lockName + "' was not acquired within " + waited.toMillis() + " ms"
						+ ((remaining != null) ? "; its lease runs for another " + remaining.toMillis() + " ms" : "")
						+ heldBy.stream()
							.map(LockState.Holder::toString)
							.limit(MOST_IN_MESSAGE)
							.collect(Collectors.joining(" and ", heldBy.isEmpty() ? "" : "; held by ", "")),
				null);
		this.waited = waited;
		this.remaining = remaining;
		this.heldBy = List.copyOf(heldBy);
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

	/**
	 * {@return who held the lock when the wait was over, as {@link LockState#heldBy()};
	 * empty after a single attempt, and if that is unknown}
	 */
	public List<LockState.Holder> heldBy() {
		return this.heldBy;
	}

}
