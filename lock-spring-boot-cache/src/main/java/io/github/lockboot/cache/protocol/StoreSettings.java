package io.github.lockboot.cache.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * How the store of the cache uses its Redis.
 *
 * @param keyPrefix what every key begins with; without braces
 * @param commandTimeout how long an answer is waited for
 * @param pause how long Redis is not asked after it has failed three times in a row
 * @param memory how long the time of an evict is remembered
 * @param applicationName what the names of the connections begin with, if anything
 * @since 1.0.0
 */
@Internal
public record StoreSettings(String keyPrefix, Duration commandTimeout, Duration pause, Duration memory,
		@Nullable String applicationName) {

}
