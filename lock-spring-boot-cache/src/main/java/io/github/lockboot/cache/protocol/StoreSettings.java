package io.github.lockboot.cache.protocol;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Settings of the store of the cache.
 *
 * @param keyPrefix prefix of every key, without braces
 * @param commandTimeout how long to wait for a reply
 * @param pause how long to send no command after three failures in a row
 * @param memory how long the time of an evict is kept
 * @param applicationName prefix of the names of the connections, if any
 * @since 1.0.0
 */
@Internal
public record StoreSettings(String keyPrefix, Duration commandTimeout, Duration pause, Duration memory,
		@Nullable String applicationName) {

}
