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

	private final LockRequest request;

	private final long leaseMillis;

	private final long arrivedNanos;

	/** What keeps its first call back; absent for one who asks the store alone. */
	private final @Nullable Batch<AcquireReply> batch;

	private final Thread thread;

	private final boolean ofSection;

	/** Whether it goes away at the next answer; guarded by the mutex of its lane. */
	private boolean leaving;

	Waiter(LockRequest request, long leaseMillis, boolean triesOnce, long arrivedNanos, boolean ofSection) {
		this(request, leaseMillis, triesOnce, arrivedNanos, Thread.currentThread(), ofSection, null);
	}

	private Waiter(LockRequest request, long leaseMillis, boolean triesOnce, long arrivedNanos, Thread thread,
			boolean ofSection, @Nullable Batch<AcquireReply> batch) {
		this.request = request;
		this.leaseMillis = withinHoldTimes(request, leaseMillis);
		this.leaving = triesOnce;
		this.arrivedNanos = arrivedNanos;
		this.thread = thread;
		this.ofSection = ofSection;
		this.batch = batch;
	}

	/**
	 * The same caller as one who tries once for several locks.
	 * @param name name of one of the locks
	 * @param batch what keeps the calls for all of them back
	 * @return a new waiter
	 */
	Waiter amongSeveral(String name, Batch<AcquireReply> batch) {
		return new Waiter(this.request.name(name), this.leaseMillis, true, this.arrivedNanos, this.thread,
				this.ofSection, batch);
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

	long arrivedNanos() {
		return this.arrivedNanos;
	}

	/**
	 * Return who asked for the lock.
	 * @return the thread
	 */
	Thread thread() {
		return this.thread;
	}

	/**
	 * Whether its thread runs a section under another lock, which it can't end without
	 * this one.
	 * @return true if so
	 */
	boolean isOfSection() {
		return this.ofSection;
	}

	boolean isLeaving() {
		return this.leaving;
	}

	void leaveAtNextAnswer() {
		this.leaving = true;
	}

}
