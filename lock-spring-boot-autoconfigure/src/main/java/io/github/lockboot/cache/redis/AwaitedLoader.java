package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.ExecutionException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheLoader;

/**
 * An asynchronous loader on a thread of the cache, which has nothing better to do than to
 * wait for it.
 *
 * @param <T> type of the value
 */
final class AwaitedLoader<T extends @Nullable Object> implements CacheLoader<T, Throwable> {

	private final AsyncCacheLoader<T> loader;

	AwaitedLoader(AsyncCacheLoader<T> loader) {
		this.loader = loader;
	}

	@Override
	public T load() throws Throwable {
		try {
			return this.loader.load().toCompletableFuture().get();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() != null) ? ex.getCause() : ex;
		}
	}

	@Override
	public boolean isStorable(T value) {
		return this.loader.isStorable(value);
	}

	@Override
	public @Nullable Duration ttlOf(T value) {
		return this.loader.ttlOf(value);
	}

}
