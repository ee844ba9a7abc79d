package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;

/**
 * Where code of the application runs that does not run on the thread of its caller.
 *
 * @param asynchronous starts asynchronous loaders; a loader that it rejects, or has not
 * started after a second, runs on a thread of the cache
 * @param background decorates a load in the background, on the thread of the caller that
 * caused it, for instance to pass on its context
 * @since 1.0.0
 */
public record CacheThreads(Executor asynchronous, UnaryOperator<Runnable> background) {

	/**
	 * Return the default executor of {@link CompletableFuture}, without decoration.
	 */
	public static CacheThreads defaults() {
		return new CacheThreads(new CompletableFuture<>().defaultExecutor(), UnaryOperator.identity());
	}

}
