package io.github.lockboot.engine;

import java.util.concurrent.CompletableFuture;

import io.github.lockboot.LockRequest;

/**
 * A caller that waits for a lock. Completed once, under the mutex of its lane.
 */
final class Waiter extends CompletableFuture<Outcome> {

	private final LockRequest request;

	private final long leaseMillis;

	private final long arrivedNanos;

	/** Whether it goes away at the next answer; guarded by the mutex of its lane. */
	private boolean leaving;

	Waiter(LockRequest request, long leaseMillis, boolean triesOnce, long arrivedNanos) {
		this.request = request;
		this.leaseMillis = leaseMillis;
		this.leaving = triesOnce;
		this.arrivedNanos = arrivedNanos;
	}

	LockRequest request() {
		return this.request;
	}

	long leaseMillis() {
		return this.leaseMillis;
	}

	long arrivedNanos() {
		return this.arrivedNanos;
	}

	boolean isLeaving() {
		return this.leaving;
	}

	void leaveAtNextAnswer() {
		this.leaving = true;
	}

}
