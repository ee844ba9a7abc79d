package io.github.lockboot.aop.lock;

import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One call under one or several locks that blocks no thread: takes them, runs the body,
 * and gives them back when the body's stage is completed. One step follows the other, so
 * that its state needs no guard but for what a caller may do at any time, which is to
 * cancel.
 */
final class StagedCall {

	private final LockedInvocation invocation;

	private final Executor executor;

	private final CompletableFuture<@Nullable Object> result = new CompletableFuture<>();

	private final OnLost onLost;

	/** What is held, once it is. */
	private @Nullable LockHandle lock;

	/** What is waited for: a lock or the body. */
	private volatile CompletableFuture<?> pending = CompletableFuture.completedFuture(null);

	private volatile boolean interrupted;

	StagedCall(LockedInvocation invocation, Executor executor) {
		this.invocation = invocation;
		this.executor = executor;
		this.onLost = invocation.attributes().onLost();
	}

	/**
	 * Begin.
	 * @return completed as the body's stage, once the locks are given back; cancelling it
	 * cancels what is waited for
	 */
	CompletableFuture<@Nullable Object> start() {
		this.result.whenComplete((value, failure) -> {
			if (this.result.isCancelled()) {
				this.pending.cancel(false);
			}
		});
		take();
		return this.result;
	}

	private void take() {
		await(() -> this.invocation.operations().acquireAsync(this.invocation.request()), (lock, failure) -> {
			if (lock != null) {
				this.lock = lock;
				dispatch(() -> proceed(lock));
			}
			else {
				refuse(Objects.requireNonNull(failure));
			}
		});
	}

	private void refuse(Throwable failure) {
		Throwable reason = StageFailure.cause(failure);
		if (reason instanceof LockNotAcquiredException busy) {
			dispatch(() -> await(() -> (CompletionStage<?>) this.invocation.refuse(busy), this::complete));
		}
		else {
			end(null, reason);
		}
	}

	private void proceed(LockHandle lock) {
		if (this.result.isCancelled()) {
			end(null, null);
			return;
		}
		if (this.onLost == OnLost.INTERRUPT) {
			lock.onLost((QuickCallback) this::interrupt);
		}
		await(() -> (CompletionStage<?>) this.invocation.proceed(), this::end);
	}

	private void interrupt() {
		this.interrupted = true;
		this.pending.cancel(false);
	}

	/** Wait for a stage; where it can't be had, that is its failure. */
	private <T> void await(Step<T> step, BiConsumer<@Nullable T, @Nullable Throwable> next) {
		CompletionStage<T> stage;
		try {
			stage = Objects.requireNonNull(step.take(), "The method returned null instead of a stage");
		}
		catch (Throwable ex) {
			next.accept(null, ex);
			return;
		}
		this.pending = stage.toCompletableFuture();
		if (this.result.isCancelled() || this.interrupted) {
			this.pending.cancel(false);
		}
		stage.whenComplete(next);
	}

	private void end(@Nullable Object value, @Nullable Throwable failure) {
		giveBack(() -> complete(value, withLoss(failure)));
	}

	private @Nullable Throwable withLoss(@Nullable Throwable failure) {
		LockLostException loss = lossToTell();
		if (loss == null || failure == null || (this.interrupted && failure instanceof CancellationException)) {
			return (loss != null) ? loss : failure;
		}
		if (failure != loss) {
			failure.addSuppressed(loss);
		}
		return failure;
	}

	private @Nullable LockLostException lossToTell() {
		return (this.lock != null && this.onLost != OnLost.LOG) ? this.lock.loss() : null;
	}

	private void complete(@Nullable Object value, @Nullable Throwable failure) {
		if (failure != null) {
			this.result.completeExceptionally(failure);
		}
		else {
			this.result.complete(value);
		}
	}

	private void giveBack(Runnable next) {
		CompletionStage<?> released = (this.lock != null) ? this.lock.closeAsync()
				: CompletableFuture.completedStage(null);
		released.whenComplete((done, failure) -> dispatch(next));
	}

	/** Leave the library's own thread before code of the application runs. */
	private void dispatch(Runnable task) {
		this.executor.execute(task);
	}

	private interface Step<T> {

		@Nullable CompletionStage<T> take() throws Throwable;

	}

}
