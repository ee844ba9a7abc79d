package io.github.lockboot.concurrent;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The wait of one thread for a future. The thread parks and runs nothing else: in
 * {@link CompletableFuture#get()} a worker of a {@link ForkJoinPool} runs other tasks on
 * its own stack, where they would be taken for a part of the section that waits. As in
 * {@link java.util.concurrent.locks.Condition#await()}, the pool may replace the worker
 * meanwhile.
 */
@Internal
public final class FutureWait implements ForkJoinPool.ManagedBlocker {

	private static final Duration NO_LIMIT = Duration.ofNanos(Long.MAX_VALUE);

	private final CompletableFuture<?> future;

	private final long startNanos = System.nanoTime();

	/** How long to wait from the start; {@link Long#MAX_VALUE} for no limit. */
	private final long limitNanos;

	/** Begin to wait on the current thread. */
	private FutureWait(CompletableFuture<?> future, Duration limit) {
		this.future = future;
		this.limitNanos = limit.toNanos();
		if (!future.isDone()) {
			Thread thread = Thread.currentThread();
			future.whenComplete((result, failure) -> LockSupport.unpark(thread));
		}
	}

	/** Return the result of a future once it has one. */
	public static <T extends @Nullable Object> T get(CompletableFuture<T> future)
			throws InterruptedException, ExecutionException {
		new FutureWait(future, NO_LIMIT).await();
		return future.get();
	}

	/**
	 * Return the result of a future once it has one, as {@link CompletableFuture#join()}
	 * does. An interrupt does not end the wait; the interrupt flag is set afterwards.
	 */
	public static <T extends @Nullable Object> T join(CompletableFuture<T> future) {
		awaitUninterruptibly(future, NO_LIMIT);
		return future.join();
	}

	/**
	 * Wait for the end of a future. An interrupt does not end the wait; the interrupt
	 * flag is set afterwards.
	 */
	public static void awaitUninterruptibly(CompletableFuture<?> future, Duration limit) {
		boolean interrupted = false;
		FutureWait wait = new FutureWait(future, limit);
		while (!wait.isReleasable()) {
			try {
				wait.await();
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Wait for the end of a future, and return whether it has ended. An interrupted
	 * thread does not wait.
	 */
	public static boolean await(CompletableFuture<?> future, Duration limit) {
		try {
			new FutureWait(future, limit).await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return future.isDone();
	}

	private void await() throws InterruptedException {
		if (isReleasable()) {
			return;
		}
		if (Thread.interrupted()) {
			throw new InterruptedException();
		}
		try {
			ForkJoinPool.managedBlock(this);
		}
		catch (RuntimeException | Error ex) { // no other thread can replace the worker
			while (!block()) {
				// woken without a reason
			}
		}
	}

	@Override
	public boolean block() throws InterruptedException {
		if (!isReleasable()) {
			if (this.limitNanos == Long.MAX_VALUE) {
				LockSupport.park(this);
			}
			else {
				LockSupport.parkNanos(this, this.limitNanos - (System.nanoTime() - this.startNanos));
			}
			if (Thread.interrupted()) {
				throw new InterruptedException();
			}
		}
		return isReleasable();
	}

	@Override
	public boolean isReleasable() {
		return this.future.isDone()
				|| (this.limitNanos != Long.MAX_VALUE && System.nanoTime() - this.startNanos >= this.limitNanos);
	}

}
