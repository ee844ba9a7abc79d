package io.github.lockboot.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;

/**
 * One acquisition of a lock that blocks no thread.
 *
 * @param <T> type of the hold, nullable where {@code null} stands for a busy lock
 */
final class OneLockLater<T extends @Nullable LockHandle> {

	private final LockEngine engine;

	private final Calls calls;

	private final Call call;

	private final boolean nullIfBusy;

	private final Executor executor;

	private final CompletableFuture<T> result = new CompletableFuture<>();

	OneLockLater(LockEngine engine, Calls calls, Call call, boolean nullIfBusy, Executor executor) {
		this.engine = engine;
		this.calls = calls;
		this.call = call;
		this.nullIfBusy = nullIfBusy;
		this.executor = executor;
	}

	CompletableFuture<T> start() {
		long waitNanos = this.call.waitNanos();
		Waiter waiter = this.calls.waiter(this.call, waitNanos == 0);
		Lane lane = this.engine.submit(waiter);
		LockClock.Timer limit = (waitNanos > 0 && waitNanos < Long.MAX_VALUE && !waiter.isDone())
				? this.engine.clock().schedule(this.call.startNanos() + waitNanos, () -> lane.expire(waiter)) : null;
		waiter.whenCompleteAsync((outcome, failure) -> {
			if (limit != null) {
				limit.cancel();
			}
			ended(outcome);
		}, this.executor);
		this.result.whenComplete((handle, failure) -> {
			if (this.result.isCancelled()) {
				this.engine.deliver(() -> lane.leave(waiter));
			}
		});
		return this.result;
	}

	private void ended(Outcome outcome) {
		boolean stale = OneLock.isStale(outcome);
		if (stale && !this.result.isDone() && this.call.leftNanos(this.engine.clock().nanoTime()) > 0) {
			start();
		}
		else {
			complete(stale ? Calls.UNTIMELY : outcome);
		}
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // T is nullable where null is asked
													// for
	private void complete(Outcome outcome) {
		if (outcome instanceof Hold hold) {
			this.engine.tellAcquired(hold, this.call);
			if (!this.result.complete((T) hold)) {
				hold.closeAsync(); // cancelled meanwhile
			}
			return;
		}
		LockException reason = this.calls.refuse(this.call, outcome);
		if (this.nullIfBusy && reason instanceof LockNotAcquiredException) {
			this.result.complete(null);
		}
		else {
			this.result.completeExceptionally(reason);
		}
	}

}
