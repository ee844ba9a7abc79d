package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockRequest;

/**
 * A caller that waits for a lock. Completed once, under the mutex of its lane.
 */
final class Waiter extends CompletableFuture<Outcome> {

	private final Call call;

	private final LockRequest request;

	private final long leaseMillis;

	/** What keeps its first call back; absent for one who asks the store alone. */
	private final @Nullable Batch<AcquireReply> batch;

	/** Whether it goes away at the next answer; guarded by the mutex of its lane. */
	private boolean leaving;

	/**
	 * Create a waiter.
	 * @param call whose call it is
	 * @param request what is asked for, with its limits
	 * @param leaseMillis the lease to ask for in milliseconds
	 * @param triesOnce whether it goes away at the first answer
	 * @param batch what keeps its first call back, if anything does
	 */
	Waiter(Call call, LockRequest request, long leaseMillis, boolean triesOnce, @Nullable Batch<AcquireReply> batch) {
		this.call = call;
		this.request = request;
		this.leaseMillis = withinHoldTimes(request, leaseMillis);
		this.leaving = triesOnce;
		this.batch = batch;
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
	 * @return true if so
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
	 * Ask for the lock on behalf of this caller.
	 * @param store the store
	 * @param attempt as whom to ask
	 * @param seenToken highest token seen of the lock
	 * @param queueing whether to wait for a busy lock in the store
	 * @return what the store answers
	 */
	CompletionStage<AcquireReply> ask(LockStore store, Attempt attempt, long seenToken, Queueing queueing) {
		CompletionStage<AcquireReply> kept = (this.batch != null) ? this.batch.add(attempt, seenToken) : null;
		return (kept != null) ? kept : store.acquire(attempt, seenToken, queueing);
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

}
