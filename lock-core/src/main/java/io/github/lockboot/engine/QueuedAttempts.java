package io.github.lockboot.engine;

import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The attempts of this JVM at one lock that wait in the store's queue, or that have
 * waited there and cannot wait there at the moment. Only the first one requests the lock
 * again, so that none overtakes another; the others are kept in the queue by joint calls.
 * Guarded by the mutex of the {@link LockQueue}.
 * <p>
 * One place in the store for all callers of a JVM would not keep the order of arrival
 * over all JVMs. The JVM would have to estimate the store's time of each arrival, with an
 * error as long as a reply may take, and the order would change with the clock of the
 * store. A store that grants several permits at once would not know the next callers.
 */
final class QueuedAttempts {

	/** Order of the owner names of one JVM. A number with more digits is greater. */
	static final Comparator<String> BY_NUMBER = Comparator.comparingInt(String::length)
		.thenComparing(Comparator.naturalOrder());

	/** The time from the request of one attempt to that of another. */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final NavigableSet<Attempt> attempts = new TreeSet<>(
			Comparator.comparingLong((Attempt attempt) -> attempt.pending().place().sinceMicros())
				.thenComparing(Attempt::id, BY_NUMBER));

	/** When to confirm all attempts. */
	private long confirmNanos;

	/** The attempt that requested last. */
	private @Nullable Attempt requested;

	private long requestedNanos;

	void add(Attempt attempt, long nowNanos, RandomGenerator random) {
		if (this.attempts.isEmpty()) {
			this.requested = null;
		}
		this.attempts.add(attempt);
		long confirmNanos = nowNanos + PendingAcquire.intervalNanos(random);
		// the first attempt sends its own requests, so of two attempts only the other
		// one counts
		if (this.attempts.size() > 2) {
			this.confirmNanos = MonotonicClock.earlier(this.confirmNanos, confirmNanos);
		}
		else if (attempt == this.attempts.last()) {
			this.confirmNanos = confirmNanos;
		}
	}

	void remove(Attempt attempt) {
		this.attempts.remove(attempt);
	}

	/** Let the first attempt take the place of one that has left. */
	void left(PendingAcquire pending, long nowNanos) {
		if (!this.attempts.isEmpty()) {
			this.attempts.first().pending().requestInsteadOf(pending, nowNanos);
		}
	}

	/** Return all attempts if it is time to confirm them, or else none. */
	List<Attempt> confirmed(long nowNanos, RandomGenerator random) {
		if (!isConfirmedJointly() || this.confirmNanos - nowNanos > 0) {
			return List.of();
		}
		this.confirmNanos = nowNanos + PendingAcquire.intervalNanos(random);
		return List.copyOf(this.attempts);
	}

	/** Return the attempt that has to request now, and no longer waits then. */
	@Nullable Attempt requested(long nowNanos) {
		if (this.attempts.isEmpty() || requestNanos() - nowNanos > 0) {
			return null;
		}
		this.requested = this.attempts.pollFirst();
		this.requestedNanos = nowNanos;
		return this.requested;
	}

	/** Return when to confirm or to request. */
	long wakeNanos() {
		if (this.attempts.isEmpty()) {
			return MonotonicClock.NEVER;
		}
		return isConfirmedJointly() ? MonotonicClock.earlier(requestNanos(), this.confirmNanos) : requestNanos();
	}

	private boolean isConfirmedJointly() {
		return this.attempts.size() > 1;
	}

	/**
	 * Return when the first attempt requests. During its request, each of the other
	 * attempts in turn is first for a moment.
	 */
	private long requestNanos() {
		Attempt first = this.attempts.first();
		long againNanos = first.pending().againNanos();
		boolean isNext = this.requested != null && this.requested != first;
		long turnNanos = this.requestedNanos + TURN_NANOS;
		return (isNext && turnNanos - againNanos > 0) ? turnNanos : againNanos;
	}

}
