package io.github.lockboot.cache;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether and how long a value is stored, if that depends on the value. By
 * default, the settings of the cache decide.
 *
 * @param <T> type of the value
 * @since 1.0.0
 */
public interface CacheTerms<T extends @Nullable Object> {

	/**
	 * Return whether a value may be stored. Callers of this JVM that wait for the value
	 * receive it in any case.
	 * @return true by default
	 */
	default boolean isStorable(T value) {
		return true;
	}

	/**
	 * Return how long a value is fresh, at most 365 days: a longer time counts as 365
	 * days.
	 * @return the time, or {@code null}, the default, for the time of the settings
	 */
	default @Nullable Duration ttlOf(T value) {
		return null;
	}

	/**
	 * Return the key of the loaded value, if that depends on objects that may have
	 * changed since the call. The cache asks when a load runs on another thread, and
	 * stores a value only if its key is still that of the call.
	 * @param key the key of the call
	 * @return the same object by default, whose contents count as they are now
	 */
	default Object keyNow(Object key) {
		return key;
	}

}
