package io.github.lockboot.cache;

import org.jspecify.annotations.Nullable;

/**
 * Gets a value that is not cached.
 *
 * @param <T> type of the value
 * @param <X> what it may throw; inferred as {@link RuntimeException} where it throws
 * nothing checked
 * @since 1.0.0
 */
@FunctionalInterface
public interface CacheLoader<T extends @Nullable Object, X extends Throwable> extends CacheTerms<T> {

	/**
	 * Get the value. Called on the thread of the caller, or in the background to replace
	 * an entry that is still served. It may use the cache on this thread; where it waits
	 * for another thread that asks for the same entry, it waits for itself, until the
	 * longest time to load is over.
	 * @return the value
	 * @throws X what it throws, passed on unchanged to all callers that wait for it in
	 * this JVM
	 */
	T load() throws X;

	/**
	 * Return a loader that may be called later by another thread. Called on the thread of
	 * the caller.
	 * @return this loader by default
	 */
	default CacheLoader<T, X> inBackground() {
		return this;
	}

}
