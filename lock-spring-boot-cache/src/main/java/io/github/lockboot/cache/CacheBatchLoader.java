package io.github.lockboot.cache;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Loads the values of several entries that are not cached.
 *
 * @param <K> type of the keys
 * @param <T> type of the values
 * @param <X> type of the exceptions that the loader may throw
 * @since 1.0.0
 */
@FunctionalInterface
public interface CacheBatchLoader<K, T extends @Nullable Object, X extends Throwable> extends CacheTerms<T> {

	/**
	 * Load values. The cache calls this on the thread of the caller, once for every 500
	 * keys, and again for keys whose load by another caller failed. The cache passes one
	 * key if an entry is refreshed before its {@code ttl} ends.
	 * @param keys the keys, in the order of the caller, at least one
	 * @return the values by their keys; a missing key has no value, and is stored like a
	 * {@code null}
	 * @throws X any failure, which the caller receives unchanged
	 */
	Map<K, T> load(List<K> keys) throws X;

}
