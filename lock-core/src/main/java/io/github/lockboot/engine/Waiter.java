package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A caller that waits for a lock. A waiter is completed once, under the mutex of the
 * {@link LockQueue}, which guards what changes.
 */
final class Waiter extends CompletableFuture<Outcome> {

	private final Call call;

	private final LockRequest request;

	/** The length of a lease once the minimum hold time is over. */
	private final long usualLeaseMillis;

	private final long leaseMillis;

	/** Absent if the kind of release depends on the method that releases the lock. */
	private final @Nullable LockRelease release;

	/** Whether the caller leaves at the next reply. */
	private boolean leaving;

	/** Whether the caller counts as one of those that wait. */
	private boolean counted;

	/** Whether as many callers as the limit allows waited before this caller. */
	private boolean beyondLimit;

	/** When the wait is over, or when to check whether the store fails. */
	private long deadlineNanos = MonotonicClock.NEVER;

	/**
	 * How long a store may fail during a wait without limit; zero if there is a limit.
	 */
	private long patienceNanos;

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
		this.usualLeaseMillis = leaseMillis;
		this.leaseMillis = leaseMillis(request, leaseMillis, leaseOfSession);
		this.release = release;
		this.leaving = triesOnce;
	}

	/** Return the length of the first lease of a request with hold times. */
	static long leaseMillis(LockRequest request, long usualMillis, boolean leaseOfSession) {
		Duration maximum = request.maxHoldTime();
		Duration minimum = leaseOfSession ? null : request.minHoldTime();
		long least = (minimum != null) ? Math.max(usualMillis, minimum.toMillis()) : usualMillis;
		return (maximum != null) ? Math.min(least, maximum.toMillis()) : least;
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

	/** Return when the wait is over, or when to check whether the store fails. */
	long deadlineNanos() {
		return this.deadlineNanos;
	}

	void waitUntil(long deadlineNanos) {
		this.deadlineNanos = deadlineNanos;
	}

	/**
	 * Wait without limit for a busy lock, but not for a store that fails all the time.
	 */
	void waitPatiently(long patienceNanos, long nowNanos) {
		this.patienceNanos = patienceNanos;
		this.deadlineNanos = nowNanos + patienceNanos;
	}

	/**
	 * Return for how long a store may fail during a wait without limit; zero if the wait
	 * has a limit.
	 */
	long patienceNanos() {
		return this.patienceNanos;
	}

	/** Return whether the number of callers that may wait is limited for this caller. */
	boolean isLimited() {
		return !this.leaving && maxWaiting() > 0;
	}

	/** Return how many callers may wait; zero for no limit. */
	int maxWaiting() {
		return (this.request.maxWaiting() != null) ? this.request.maxWaiting() : 0;
	}

	/**
	 * Count the caller as one that waits.
	 * @param beyondLimit whether as many callers as the limit allows wait already, so
	 * that this one tries once
	 */
	void count(boolean beyondLimit) {
		this.counted = true;
		this.beyondLimit = beyondLimit;
		this.leaving = beyondLimit;
	}

	/** Return true once if the caller counts as one that waits. */
	boolean stopCounting() {
		boolean stopped = this.counted;
		this.counted = false;
		return stopped;
	}

	/** Return the refusal of a caller, which may not wait beyond the limit. */
	Outcome refusal(Outcome outcome) {
		return (this.beyondLimit && outcome instanceof Outcome.Busy) ? tooManyWaiting() : outcome;
	}

	Outcome tooManyWaiting() {
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

}
