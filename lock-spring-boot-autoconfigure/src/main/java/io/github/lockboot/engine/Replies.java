package io.github.lockboot.engine;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.StageFailure;

/**
 * Asks a store such that every failure comes by the same way.
 */
final class Replies {

	private Replies() {
	}

	/**
	 * Call a store.
	 */
	static <T> CompletionStage<T> ask(Supplier<CompletionStage<T>> call) {
		try {
			return call.get();
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedStage(ex);
		}
	}

	/**
	 * Return what really failed.
	 */
	static @Nullable Throwable cause(@Nullable Throwable failure) {
		return (failure != null) ? StageFailure.cause(failure) : null;
	}

}
