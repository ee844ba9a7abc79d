package io.github.lockboot.cache;

import org.jspecify.annotations.Nullable;

/**
 * Loads a value that is not cached.
 *
 * @param <T> type of the value
 * @param <X> type of the exceptions that the loader may throw; inferred as
 * {@link RuntimeException} if the loader throws no checked exception
 * @since 1.0.0
 */
@FunctionalInterface
public interface CacheLoader<T extends @Nullable Object, X extends Throwable> extends CacheTerms<T> {

	/**
	 * Load the value. The cache calls this on the thread of the caller, or in the
	 * background to refresh an entry. The loader may use the cache on this thread. The
	 * loader must not wait for another thread that reads the same entry: that would be a
	 * deadlock until {@code maxLoadTime} ends, about which a warning is logged after
	 * {@code waitTimeout}.
	 * @throws X any failure, which all callers of this JVM that wait for the load receive
	 * unchanged
	 */
	T load() throws X;

	/**
	 * Return a loader that another thread may call later. The cache calls this on the
	 * thread of the caller.
	 * @return this loader by default
	 */
	default CacheLoader<T, X> inBackground() {
		return this;
	}

}
