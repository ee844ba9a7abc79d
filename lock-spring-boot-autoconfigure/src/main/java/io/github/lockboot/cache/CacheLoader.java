package io.github.lockboot.cache;

import java.time.Duration;

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
public interface CacheLoader<T extends @Nullable Object, X extends Throwable> {

	/**
	 * Get the value. Called on the thread of the caller, or in the background to replace
	 * an entry that is still served.
	 * @return the value
	 * @throws X what it throws, passed on unchanged to all callers that wait for it in
	 * this JVM
	 */
	T load() throws X;

	/**
	 * Whether a value may be stored. One that may not is still shared with those who wait
	 * for it in this JVM.
	 * @param value what was loaded
	 * @return true by default
	 */
	default boolean isStorable(T value) {
		return true;
	}

	/**
	 * Return how long a value is fresh.
	 * @param value what was loaded
	 * @return the time, or {@code null} for that of the settings, as by default
	 */
	default @Nullable Duration ttlOf(T value) {
		return null;
	}

	/**
	 * Return a loader that may be called later by another thread. Called on the thread of
	 * the caller.
	 * @return this loader by default
	 */
	default CacheLoader<T, X> inBackground() {
		return this;
	}

}
