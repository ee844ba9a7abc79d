package io.github.lockboot.cache;

import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Loads a value that is not cached, without blocking a thread.
 *
 * @param <T> type of the value
 * @since 1.0.0
 */
@FunctionalInterface
public interface AsyncCacheLoader<T extends @Nullable Object> extends CacheTerms<T> {

	/**
	 * Start to load the value. The cache calls this on a thread of its executor, not on
	 * the thread of the caller.
	 * @return a stage that completes with the value
	 * @throws Throwable any failure, which has the effect of a stage that fails with it
	 */
	CompletionStage<? extends T> load() throws Throwable;

}
