package io.github.lockboot.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;

/**
 * A caller that waits for a lock. A waiter is completed once, under the mutex of its
 * {@link LockQueue}.
 */
final class Waiter extends CompletableFuture<Outcome> {

	private final Call call;

	private final LockRequest request;

	private final long leaseMillis;

	/** Absent if the kind of release depends on the method that releases the lock. */
	private final @Nullable LockRelease release;

	/** Whether the caller leaves at the next reply; guarded by the mutex of the queue. */
	private boolean leaving;

	/**
	 * For how long the thread of the call may block in the store; zero if it must not
	 * block.
	 */
	private long blockNanos;

	Waiter(Call call, LockRequest request, long leaseMillis, @Nullable LockRelease release, boolean triesOnce) {
		this.call = call;
		this.request = request;
		this.leaseMillis = leaseMillis;
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

	long leaseMillis() {
		return this.leaseMillis;
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
