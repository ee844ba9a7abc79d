package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A caller that waits for a lock. A waiter is completed once, under the mutex of its
 * {@link LockQueue}.
 */
final class Waiter extends CompletableFuture<Outcome> {

	private final Call call;

	private final LockRequest request;

	/** The length of a lease once the minimum hold time is over. */
	private final long usualLeaseMillis;

	private final long leaseMillis;

	/** Absent if the kind of release depends on the method that releases the lock. */
	private final @Nullable LockRelease release;

	/** Whether the caller leaves at the next reply; guarded by the mutex of the queue. */
	private boolean leaving;

	/** Where the caller is counted; guarded by the mutex of the queue. */
	private @Nullable Counts counts;

	/** Whether as many callers as the limit allows waited before this caller. */
	private boolean beyondLimit;

	/**
	 * For how long the thread of the call may block in the store; zero if it must not
	 * block.
	 */
	private long blockNanos;

	/**
	 * Create a waiter.
	 * @param leaseMillis the length of the lease, unless the minimum hold time is longer
	 * @param leaseOfSession whether the lease belongs to the session of this JVM, which
	 * no hold time changes
	 */
	Waiter(Call call, LockRequest request, long leaseMillis, boolean leaseOfSession, @Nullable LockRelease release,
			boolean triesOnce) {
		this.call = call;
		this.request = request;
		Duration maximum = request.maxHoldTime();
		Duration minimum = leaseOfSession ? null : request.minHoldTime();
		this.usualLeaseMillis = leaseMillis;
		long least = (minimum != null) ? Math.max(leaseMillis, minimum.toMillis()) : leaseMillis;
		this.leaseMillis = (maximum != null) ? Math.min(least, maximum.toMillis()) : least;
		this.release = release;
		this.leaving = triesOnce;
	}

	LockRequest request() {
		return this.request;
	}

	/**
	 * Return whether the caller needs its own attempt in the store: no other caller may
	 * represent it or take over its lease.
	 */
	boolean isAlone() {
		if (this.request.isShared()) {
			return this.request.fair() || !isRenewed() || this.request.minHoldTime() != null
					|| this.request.maxHoldTime() != null;
		}
		return this.request.fair() || !this.request.isExclusive();
	}

	boolean isRenewed() {
		return !Boolean.FALSE.equals(this.request.renew());
	}

	/**
	 * Return the length of the first lease, which ends between the minimum and the
	 * maximum hold time if the holder dies.
	 */
	long leaseMillis() {
		return this.leaseMillis;
	}

	long usualLeaseMillis() {
		return this.usualLeaseMillis;
	}

	@Nullable LockRelease release() {
		return this.release;
	}

	Call call() {
		return this.call;
	}

	boolean isLeaving() {
		return this.leaving;
	}

	void leaveAtNextReply() {
		this.leaving = true;
	}

	/**
	 * End the wait. The caller is no longer counted when it continues, and may request
	 * the lock again at once.
	 */
	@Override
	public boolean complete(Outcome outcome) {
		Outcome end = (this.beyondLimit && outcome instanceof Outcome.Busy) ? tooManyWaiting() : outcome;
		Counts counts = this.counts;
		if (counts != null) {
			this.counts = null;
			counts.remove(this, end);
		}
		return super.complete(end);
	}

	/** Return how many callers may wait; zero for no limit. */
	private int maxWaiting() {
		return (this.request.maxWaiting() != null) ? this.request.maxWaiting() : 0;
	}

	private Outcome tooManyWaiting() {
		return new Outcome.TooManyWaiting(maxWaiting());
	}

	/** Set for how long the calling thread may block in the store. */
	void blockFor(long nanos) {
		this.blockNanos = nanos;
	}

	long blockNanos() {
		return this.blockNanos;
	}

	/**
	 * One call for a lock, until its outcome.
	 *
	 * @param waitNanos how long to wait; {@link Long#MAX_VALUE} for no limit
	 * @param ofSection whether the thread runs a section under another lock, which it
	 * cannot end without this lock
	 */
	record Call(LockRequest request, long startNanos, long waitNanos, Thread thread, boolean ofSection,
			List<LockListener> listeners) {

		/** Return how much of the wait time is left; negative once it is over. */
		long leftNanos(long nowNanos) {
			return (this.waitNanos == Long.MAX_VALUE) ? this.waitNanos : this.waitNanos - (nowNanos - this.startNanos);
		}

	}

	/**
	 * How many callers of this JVM wait for each lock, if their number is limited. A
	 * caller counts from its first request on, unless it tries once. Thread-safe.
	 */
	static final class Counts {

		/** Others may have released a permit by then. */
		private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

		private final ConcurrentMap<String, Count> byLock = new ConcurrentHashMap<>();

		private final MonotonicClock clock;

		Counts(MonotonicClock clock) {
			this.clock = clock;
		}

		/**
		 * Count a caller until its wait ends, or return the refusal if too many callers
		 * wait. While it is unknown whether the permits are in use, as many callers more
		 * as there may be free permits try once.
		 */
		@Nullable Outcome add(Waiter waiter) {
			if (waiter.leaving || waiter.maxWaiting() == 0) {
				return null;
			}
			this.byLock.compute(waiter.request.name(), (lock, present) -> {
				long now = this.clock.nanoTime();
				Count count = (present != null) ? present : new Count(now);
				int beyond = count.callers - waiter.maxWaiting() + 1;
				if (beyond <= 0 || (beyond < waiter.request.permits() && now - count.busyUntilNanos >= 0)) {
					count.callers++;
					waiter.counts = this;
					waiter.beyondLimit = beyond > 0;
				}
				return count;
			});
			waiter.leaving = waiter.beyondLimit;
			return (waiter.counts != null) ? null : waiter.tooManyWaiting();
		}

		private void remove(Waiter waiter, Outcome end) {
			this.byLock.computeIfPresent(waiter.request.name(), (lock, count) -> {
				count.callers--;
				long now = this.clock.nanoTime();
				count.busyUntilNanos = (end instanceof Outcome.TooManyWaiting) ? now + BUSY_NANOS : now;
				return (count.callers > 0) ? count : null;
			});
		}

	}

	/** How many callers wait for one lock; guarded by the map. */
	private static final class Count {

		private int callers;

		/** Until when callers beyond the limit are refused, after one that has tried. */
		private long busyUntilNanos;

		Count(long nowNanos) {
			this.busyUntilNanos = nowNanos;
		}

	}

}
