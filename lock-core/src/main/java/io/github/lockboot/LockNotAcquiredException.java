package io.github.lockboot;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a lock stayed busy for the whole wait time, or when too many callers waited
 * for the lock already. The section did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockNotAcquiredException extends LockException {

	private static final int MOST_IN_MESSAGE = 3;

	private final Duration waited;

	private final @Nullable Duration remaining;

	private final List<LockState.Holder> heldBy;

	private final Reason reason;

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
		this(lockName,
				"Lock '" + lockName + "' was not acquired within " + waited.toMillis() + " ms"
						+ ((remaining != null) ? "; its lease runs for another " + remaining.toMillis() + " ms" : "")
						+ heldBy.stream()
							.map(LockState.Holder::toString)
							.limit(MOST_IN_MESSAGE)
							.collect(Collectors.joining(" and ", heldBy.isEmpty() ? "" : "; held by ", "")),
				waited, remaining, heldBy, Reason.BUSY);
	}

	private LockNotAcquiredException(String lockName, String message, Duration waited, @Nullable Duration remaining,
			List<LockState.Holder> heldBy, Reason reason) {
		super(lockName, message, null);
		this.waited = waited;
		this.remaining = remaining;
		this.heldBy = List.copyOf(heldBy);
		this.reason = reason;
	}

	/**
	 * Return an exception for a caller that was refused.
	 * @param lockName name of the lock
	 * @param waited how long the caller waited
	 * @param maxWaiting how many callers of this instance may wait for the lock
	 */
	public static LockNotAcquiredException tooManyWaiting(String lockName, Duration waited, int maxWaiting) {
		return new LockNotAcquiredException(lockName,
				"Lock '" + lockName + "' was not acquired because " + maxWaiting
						+ " callers of this instance wait for it already (max-waiting)",
				waited, null, List.of(), Reason.TOO_MANY_WAITING);
	}

	/**
	 * Return why the lock was not acquired.
	 */
	public Reason reason() {
		return this.reason;
	}

	/**
	 * Return how long the caller waited.
	 */
	public Duration waited() {
		return this.waited;
	}

	/**
	 * Return how long the lease still ran when the store last reported it, or
	 * {@code null} if unknown.
	 */
	public @Nullable Duration remaining() {
		return this.remaining;
	}

	/**
	 * Return who held the lock when the wait was over, as {@link LockState#heldBy()};
	 * empty after a single attempt, and if no holder is known.
	 */
	public List<LockState.Holder> heldBy() {
		return this.heldBy;
	}

	/**
	 * Why a lock was not acquired.
	 */
	public enum Reason {

		/** The lock stayed busy for the whole wait time. */
		BUSY,

		/**
		 * As many callers of this instance as {@link LockRequest#maxWaiting()} allows
		 * waited for the lock already.
		 */
		TOO_MANY_WAITING

	}

}
