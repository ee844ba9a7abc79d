package io.github.lockboot.concurrent;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * The failure of a stage, and its future.
 */
@Internal
public final class StageFailure {

	private StageFailure() {
	}

	/** Return the cause of a failure that only wraps the cause for a stage. */
	public static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

	/** Complete a future with the result of a stage, or with its failure. */
	public static <T extends @Nullable Object> void pass(T result, @Nullable Throwable failure,
			CompletableFuture<T> future) {
		if (failure != null) {
			future.completeExceptionally(cause(failure));
		}
		else {
			future.complete(result);
		}
	}

	/**
	 * Return a future that completes like a stage. Not every stage can be converted into
	 * one: a cancellation of the future may not reach the stage.
	 */
	public static <T extends @Nullable Object> CompletableFuture<T> future(CompletionStage<T> stage) {
		try {
			return stage.toCompletableFuture();
		}
		catch (UnsupportedOperationException ex) {
			CompletableFuture<T> future = new CompletableFuture<>();
			stage.whenComplete((result, failure) -> pass(result, failure, future));
			return future;
		}
	}

}
