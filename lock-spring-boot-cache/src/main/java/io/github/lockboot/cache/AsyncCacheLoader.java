package io.github.lockboot.cache;

import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

/**
 * Gets a value that is not cached, and blocks no thread meanwhile.
 *
 * @param <T> type of the value
 * @since 1.0.0
 */
@FunctionalInterface
public interface AsyncCacheLoader<T extends @Nullable Object> extends CacheTerms<T> {

	/**
	 * Begin to get the value. Called on another thread than that of the caller: one of
	 * the executor that the cache was given for this, or one of the cache to replace an
	 * entry that is still served.
	 * @return the stage that ends with the value
	 * @throws Throwable what it throws, which is as good as a stage that fails with it
	 */
	CompletionStage<? extends T> load() throws Throwable;

}
