package io.github.lockboot.aop.lock;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One call that blocks no thread. The call acquires its locks, runs the body, and
 * releases the locks when the stage of the body is completed. Only one step is active at
 * any time, so the state needs no synchronization, except for a cancellation, which may
 * happen at any time.
 */
final class StagedCall {

	private final LockedMethod.LockedCall call;

	private final Executor executor;

	private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

	private final OnLost onLost;

	/** The active step: the acquisition or the body. */
	private volatile CompletableFuture<?> pending = CompletableFuture.completedFuture(null);

	private volatile boolean begun;

	private volatile boolean interrupted;

	StagedCall(LockedMethod.LockedCall call, Executor executor) {
		this.call = call;
		this.executor = executor;
		this.onLost = call.method().onLost();
	}

	/**
	 * Start the call, and return a future that completes like the stage of the body,
	 * after the locks are released. Cancelling the future cancels the active step; a
	 * caller that completes it in any other way only ends the wait for the locks.
	 */
	CompletableFuture<@Nullable Object> start() {
		this.result.whenComplete((value, failure) -> {
			if (isUnwanted()) {
				this.pending.cancel(false);
			}
		});
		await(() -> this.call.operations().acquireAsync(this.call.request()),
				(lock, failure) -> dispatch(() -> acquired(lock, failure), (rejection) -> reject(lock, rejection)));
		return this.result;
	}

	/** Return whether the caller has no use for the active step any more. */
	private boolean isUnwanted() {
		return this.begun ? this.result.isCancelled() : this.result.isDone();
	}

	/** End a call that no thread can continue. */
	private void reject(@Nullable LockHandle lock, Throwable rejection) {
		if (lock != null && !this.begun) {
			discard(lock, rejection);
		}
		else {
			complete(null, rejection);
		}
	}

	private void acquired(@Nullable LockHandle lock, @Nullable Throwable failure) {
		Throwable reason = (failure != null) ? StageFailure.cause(failure) : null;
		if (lock != null) {
			proceed(lock);
		}
		else if (reason instanceof LockNotAcquiredException busy) {
			await(() -> (CompletionStage<?>) this.call.answer(busy), this::complete);
		}
		else {
			complete(null, (reason != null) ? reason
					: new IllegalStateException("A lock was neither acquired nor refused: " + this.call.request()));
		}
	}

	private void proceed(LockHandle lock) {
		if (isUnwanted()) {
			discard(lock, null);
			return;
		}
		this.begun = true;
		if (this.onLost == OnLost.INTERRUPT) {
			lock.onLost((QuickCallback) this::interrupt);
		}
		await(() -> (CompletionStage<?>) this.call.body().proceed(), (value, failure) -> release(lock, value, failure));
	}

	private void interrupt() {
		this.interrupted = true;
		this.pending.cancel(false);
	}

	/** Continue after a stage; a failure to create the stage counts as its failure. */
	private <T> void await(Step<T> step, BiConsumer<@Nullable T, @Nullable Throwable> next) {
		CompletionStage<T> stage;
		try {
			stage = Objects.requireNonNull(step.begin(), "The method returned null instead of a stage");
		}
		catch (Throwable ex) {
			next.accept(null, ex);
			return;
		}
		this.pending = StageFailure.future(stage);
		if (isUnwanted() || this.interrupted) {
			this.pending.cancel(false);
		}
		stage.whenComplete(next);
	}

	/** Release a lock whose body does not begin. */
	private void discard(LockHandle lock, @Nullable Throwable failure) {
		after(lock.discardAsync(), () -> complete(null, failure));
	}

	private void release(LockHandle lock, @Nullable Object value, @Nullable Throwable failure) {
		after(lock.closeAsync(), () -> complete(value, withLoss(lock, failure)));
	}

	/** Complete the call after a release. */
	private void after(CompletionStage<Void> released, Runnable complete) {
		released.whenComplete((done, none) -> dispatch(complete, (rejection) -> complete.run()));
	}

	private @Nullable Throwable withLoss(LockHandle lock, @Nullable Throwable failure) {
		LockLostException loss = (this.onLost != OnLost.LOG) ? lock.loss() : null;
		if (loss == null || failure == null || (this.interrupted && failure instanceof CancellationException)) {
			return (loss != null) ? loss : failure;
		}
		if (failure != loss) {
			failure.addSuppressed(loss);
		}
		return failure;
	}

	private void complete(@Nullable Object value, @Nullable Throwable failure) {
		if (failure != null) {
			this.result.completeExceptionally(failure);
		}
		else {
			this.result.complete(value);
		}
	}

	/**
	 * Run a task on the executor, because code of the application must not run on a
	 * thread of the library.
	 */
	private void dispatch(Runnable task, Consumer<RuntimeException> rejected) {
		try {
			this.executor.execute(task);
		}
		catch (RuntimeException ex) { // also of what decorates tasks
			rejected.accept(ex);
		}
	}

	private interface Step<T> {

		@Nullable CompletionStage<T> begin() throws Throwable;

	}

}
