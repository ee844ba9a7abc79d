package io.github.lockboot.cache;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Gets the values of several entries that are not cached at once.
 *
 * @param <K> type of the keys
 * @param <T> type of the values
 * @param <X> what it may throw
 * @since 1.0.0
 */
@FunctionalInterface
public interface CacheBatchLoader<K, T extends @Nullable Object, X extends Throwable> {

	/**
	 * Get values. Called on the thread of the caller, once for each 500 keys; once more
	 * for those of entries that another caller was to load and has not. With one key when
	 * an entry is loaded anew before its {@code ttl} ends.
	 * @param keys the keys, in the order of the caller, at least one
	 * @return the values by their keys; a key that is not in it has no value, which is
	 * kept as a null is
	 * @throws X what it throws, passed on unchanged
	 */
	Map<K, T> load(List<K> keys) throws X;

}
