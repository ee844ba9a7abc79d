package io.github.lockboot.cache;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Whether and how long a loaded value is kept, where that depends on the value. By
 * default the settings of the cache say it.
 *
 * @param <T> type of the value
 * @since 1.0.0
 */
public interface CacheTerms<T extends @Nullable Object> {

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

}
