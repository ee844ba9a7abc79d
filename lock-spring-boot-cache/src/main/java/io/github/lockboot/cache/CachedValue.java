package io.github.lockboot.cache;

import org.jspecify.annotations.Nullable;

/**
 * A value that was found in a cache.
 *
 * @param <T> type of the value
 * @param value the value, which may be {@code null}
 * @since 1.0.0
 */
public record CachedValue<T extends @Nullable Object>(T value) {

}
