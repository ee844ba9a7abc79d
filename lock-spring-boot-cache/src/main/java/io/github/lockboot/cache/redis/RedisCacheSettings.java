package io.github.lockboot.cache.redis;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.redis.connection.ConnectionSettings;
import io.github.lockboot.redis.connection.Connections;

/**
 * How a {@link RedisCacheTemplate} uses its Redis.
 *
 * @param keyPrefix prefix of every key; without braces, which mark a hash tag in a
 * cluster
 * @param commandTimeout how long the cache waits for a reply of Redis, and for a lost
 * connection
 * @param snapshotWindow the longest transaction whose loads are checked against evicts of
 * others; loads of a longer transaction may be stored although they are outdated
 * @param applicationName prefix of the names of the connections in {@code CLIENT LIST},
 * as in {@code shop-cache}; a client name of the connection factory takes precedence
 * @since 1.0.0
 */
public record RedisCacheSettings(String keyPrefix, Duration commandTimeout, Duration snapshotWindow,
		@Nullable String applicationName) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if the prefix is blank or has a brace, a time is
	 * not positive or longer than 365 days, or the window is shorter than 5 seconds
	 */
	public RedisCacheSettings {
		Assert.hasText(keyPrefix, "The key prefix of the cache must not be blank");
		Assert.isTrue(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0,
				() -> "The key prefix of the cache must not contain '{' or '}' but is '" + keyPrefix + "'");
		checkTime("command time-out", commandTimeout, Duration.ofMillis(1));
		checkTime("snapshot window", snapshotWindow, Duration.ofSeconds(5));
	}

	private static void checkTime(String name, Duration value, Duration least) {
		Assert.isTrue(value.compareTo(least) >= 0 && value.compareTo(LockDefaults.longest()) <= 0, () -> "The " + name
				+ " must be from " + LockDefaults.text(least) + " to 365 days but is " + LockDefaults.text(value));
	}

	/** Create settings without a name of the application. */
	public RedisCacheSettings(String keyPrefix, Duration commandTimeout, Duration snapshotWindow) {
		this(keyPrefix, commandTimeout, snapshotWindow, null);
	}

	/**
	 * Return the defaults: prefix {@code cache:}, 250 ms for a reply, and a window of 30
	 * seconds.
	 */
	public static RedisCacheSettings defaults() {
		return new RedisCacheSettings("cache:", Duration.ofMillis(250), Duration.ofSeconds(30));
	}

	CacheStore newStore(ConnectionSettings application, MonotonicClock clock) {
		return new CacheStore(
				(scripts) -> Connections.connectForCache(application, this.applicationName, Duration.ofSeconds(1),
						scripts),
				HexFormat.of().toHexDigits(new SecureRandom().nextLong()), new CacheKeys(this.keyPrefix),
				this.commandTimeout, this.snapshotWindow, clock);
	}

}
