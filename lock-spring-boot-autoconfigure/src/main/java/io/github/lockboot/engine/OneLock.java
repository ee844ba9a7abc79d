package io.github.lockboot.engine;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;

/**
 * Takes one lock. Thread-safe.
 */
final class OneLock {

	private final LockEngine engine;

	private final Calls calls;

	OneLock(LockEngine engine, Calls calls) {
		this.engine = engine;
		this.calls = calls;
	}

	/**
	 * Take a lock or throw.
	 * @param request which lock, and how
	 * @return the hold
	 * @throws LockException if it is not had
	 */
	Hold acquire(LockRequest request) {
		return acquire(this.calls.begin(request));
	}

	/**
	 * Take a lock or throw.
	 * @param call a call that has begun
	 * @return the hold
	 * @throws LockException if it is not had
	 */
	Hold acquire(Call call) {
		if (Thread.currentThread().isInterrupted()) {
			throw this.calls.refuse(call, new LockInterruptedException(call.request().name()));
		}
		Outcome outcome = await(call);
		if (outcome instanceof Hold hold) {
			this.engine.tellAcquired(hold, call);
			return hold;
		}
		throw this.calls.refuse(call, outcome);
	}

	/**
	 * Take a lock unless it stays busy.
	 * @param request which lock, and how
	 * @return the hold, or {@code null}
	 * @throws LockException if nobody knows whether it is busy
	 */
	@Nullable Hold tryAcquire(LockRequest request) {
		try {
			return acquire(request);
		}
		catch (LockNotAcquiredException ex) {
			return null;
		}
	}

	/**
	 * Take a lock without blocking a thread.
	 * @param <T> type of the hold
	 * @param request which lock, and how
	 * @param nullIfBusy whether {@code null} stands for a lock that stayed busy
	 * @return completed with the hold, or exceptionally
	 */
	<T extends @Nullable LockHandle> CompletionStage<T> acquireAsync(LockRequest request, boolean nullIfBusy) {
		return new OneLockLater<T>(this.engine, this.calls, this.calls.begin(request), nullIfBusy, this.engine::deliver)
			.start();
	}

	private Outcome await(Call call) {
		Outcome outcome = await(call, Math.max(0, leftNanos(call)));
		while (isStale(outcome)) {
			long leftNanos = leftNanos(call);
			outcome = (leftNanos > 0) ? await(call, leftNanos) : Calls.UNTIMELY;
		}
		return outcome;
	}

	private long leftNanos(Call call) {
		return call.leftNanos(this.engine.clock().nanoTime());
	}

	private Outcome await(Call call, long waitNanos) {
		Waiter waiter = this.calls.waiter(call, waitNanos == 0);
		Lane lane = this.engine.submit(waiter);
		try {
			return await(waiter, lane, waitNanos);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			lane.leave(waiter);
			throw this.calls.refuse(call, new LockInterruptedException(call.request().name()));
		}
	}

	private Outcome await(Waiter waiter, Lane lane, long waitNanos) throws InterruptedException {
		try {
			if (waitNanos == Long.MAX_VALUE) {
				return awaitWithoutEnd(waiter, lane);
			}
			if (waitNanos > 0) {
				try {
					return waiter.get(waitNanos, TimeUnit.NANOSECONDS);
				}
				catch (TimeoutException ex) {
					lane.expire(waiter);
				}
			}
			return waiter.get(); // the answer to one try, which the store's time limit
									// bounds
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A waiter is never completed exceptionally", ex);
		}
	}

	/**
	 * Wait for a busy lock for ever, but not for a store that fails for a whole wait
	 * time.
	 */
	private Outcome awaitWithoutEnd(Waiter waiter, Lane lane) throws InterruptedException, ExecutionException {
		long patienceNanos = TimeUnit.MILLISECONDS.toNanos(this.calls.patienceMillis());
		long leftNanos = patienceNanos;
		while (true) {
			try {
				return waiter.get(leftNanos, TimeUnit.NANOSECONDS);
			}
			catch (TimeoutException ex) {
				leftNanos = lane.expireIfFailing(waiter, patienceNanos);
			}
		}
	}

	/**
	 * Whether the caller stood still for so long that its lease is over before it could
	 * begin.
	 * @param outcome what it got; given back if so
	 * @return true if so
	 */
	static boolean isStale(Outcome outcome) {
		if (outcome instanceof Hold hold && !hold.isHeld()) {
			hold.closeAsync();
			return true;
		}
		return false;
	}

}
