package io.github.lockboot.cache.redis;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.UnaryOperator;

/**
 * What of the application runs on threads that did not call the cache.
 *
 * @param asynchronous where asynchronous loads begin and asynchronous callers go on; a
 * task that it refuses runs on a thread of the cache
 * @param background what a load in the background is wrapped in, on the thread of the
 * caller that has brought it about: to take along its context for instance
 * @since 1.0.0
 */
public record CacheThreads(Executor asynchronous, UnaryOperator<Runnable> background) {

	/**
	 * The executor of {@link CompletableFuture}, and loads as they are.
	 * @return the threads of the library
	 */
	public static CacheThreads defaults() {
		return new CacheThreads(new CompletableFuture<>().defaultExecutor(), UnaryOperator.identity());
	}

	/** Nothing that is refused may get lost: leases hang on it. */
	void execute(Runnable task) {
		try {
			this.asynchronous.execute(task);
		}
		catch (RejectedExecutionException ex) {
			task.run();
		}
	}

}
