package io.github.lockboot.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The wait of one thread for a future. The thread parks and runs nothing else: in
 * {@link CompletableFuture#get()} a worker of a {@link ForkJoinPool} runs other tasks on
 * its own stack, where they would be taken for a part of the section that waits. As in
 * {@link java.util.concurrent.locks.Condition#await()}, the pool may replace the worker
 * meanwhile.
 *
 * @param <T> the type of the result
 */
@Internal
public final class FutureWait<T extends @Nullable Object> implements ForkJoinPool.ManagedBlocker {

	private final CompletableFuture<T> future;

	private final long startNanos = System.nanoTime();

	/** How long to wait in all, from the start of this wait. */
	private long limitNanos;

	/** Begin to wait on the current thread, which alone may use this wait. */
	public FutureWait(CompletableFuture<T> future) {
		this.future = future;
		if (!future.isDone()) {
			Thread thread = Thread.currentThread();
			future.whenComplete((result, failure) -> LockSupport.unpark(thread));
		}
	}

	/** Return the result of a future once it has one. */
	public static <T extends @Nullable Object> T get(CompletableFuture<T> future)
			throws InterruptedException, ExecutionException {
		try {
			return new FutureWait<>(future).get(Long.MAX_VALUE);
		}
		catch (TimeoutException ex) {
			throw new IllegalStateException("A wait of 292 years is over", ex);
		}
	}

	/**
	 * Return the result of a future once it has one, as {@link CompletableFuture#join()}
	 * does. An interrupt does not end the wait; the interrupt flag is set afterwards.
	 */
	public static <T extends @Nullable Object> T join(CompletableFuture<T> future) {
		boolean interrupted = false;
		FutureWait<T> wait = new FutureWait<>(future);
		try {
			while (!future.isDone()) {
				try {
					wait.park(Long.MAX_VALUE);
				}
				catch (InterruptedException ex) {
					interrupted = true;
				}
			}
			return future.join();
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Wait, and return the result. After a {@link TimeoutException} or an interrupt the
	 * same thread may wait again.
	 */
	public T get(long nanos) throws InterruptedException, ExecutionException, TimeoutException {
		if (!this.future.isDone()) {
			park(nanos);
			if (!this.future.isDone()) {
				throw new TimeoutException();
			}
		}
		return this.future.get();
	}

	private void park(long nanos) throws InterruptedException {
		long waited = System.nanoTime() - this.startNanos;
		this.limitNanos = (nanos < Long.MAX_VALUE - waited) ? waited + nanos : Long.MAX_VALUE;
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		try {
			ForkJoinPool.managedBlock(this);
		}
		catch (RejectedExecutionException ex) { // no thread is left to replace the worker
			while (!block()) {
				// woken without a reason
			}
		}
	}

	@Override
	public boolean block() throws InterruptedException {
		if (!isReleasable()) {
			LockSupport.parkNanos(this, this.limitNanos - (System.nanoTime() - this.startNanos));
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
		return isReleasable();
	}

	@Override
	public boolean isReleasable() {
		return this.future.isDone() || System.nanoTime() - this.startNanos >= this.limitNanos;
	}

}
