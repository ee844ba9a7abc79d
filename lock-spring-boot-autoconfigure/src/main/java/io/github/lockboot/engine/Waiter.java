package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * A caller that waits for a lock. Completed once, under the mutex of its
 * {@link LockQueue}.
 */
final class Waiter extends CompletableFuture<Outcome> {

	private final Call call;

	private final LockRequest request;

	private final long leaseMillis;

	/**
	 * Whether it goes away at the next answer; guarded by the mutex of its
	 * {@link LockQueue}.
	 */
	private boolean leaving;

	/**
	 * Create a waiter.
	 */
	Waiter(Call call, LockRequest request, long leaseMillis, boolean triesOnce) {
		this.call = call;
		this.request = request;
		this.leaseMillis = withinHoldTimes(request, leaseMillis);
		this.leaving = triesOnce;
	}

	/** A dead holder must not shorten the shortest hold, nor outlast the longest. */
	private static long withinHoldTimes(LockRequest request, long leaseMillis) {
		Duration minimum = request.minHoldTime();
		Duration maximum = request.maxHoldTime();
		long lease = (minimum != null) ? Math.max(leaseMillis, minimum.toMillis()) : leaseMillis;
		return (maximum != null) ? Math.min(lease, maximum.toMillis()) : lease;
	}

	LockRequest request() {
		return this.request;
	}

	/**
	 * Whether the store has to see this very caller: no other may stand for it or be
	 * given its lease.
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

	long leaseMillis() {
		return this.leaseMillis;
	}

	Call call() {
		return this.call;
	}

	boolean isLeaving() {
		return this.leaving;
	}

	void leaveAtNextAnswer() {
		this.leaving = true;
	}

	/**
	 * One call for a lock until it has its answer.
	 *
	 * @param request what is asked for
	 * @param startNanos when
	 * @param waitNanos how long to wait; {@link Long#MAX_VALUE} without end
	 * @param thread whose call it is
	 * @param ofSection whether that thread runs a section under another lock, which it
	 * can't end without this one
	 * @param listeners the listeners of this call
	 */
	record Call(LockRequest request, long startNanos, long waitNanos, Thread thread, boolean ofSection,
			List<LockListener> listeners) {

		/** Return how much of the wait time is left; negative once it is over. */
		long leftNanos(long nowNanos) {
			return (this.waitNanos == Long.MAX_VALUE) ? this.waitNanos : this.waitNanos - (nowNanos - this.startNanos);
		}

		/** The same call without listeners. */
		Call withoutListeners() {
			return new Call(this.request, this.startNanos, this.waitNanos, this.thread, this.ofSection, List.of());
		}

	}

}
