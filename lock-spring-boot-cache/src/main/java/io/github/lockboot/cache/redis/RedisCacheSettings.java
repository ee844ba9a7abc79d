package io.github.lockboot.cache.redis;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

/**
 * How a {@link RedisCacheTemplate} uses its Redis.
 *
 * @param keyPrefix what every key begins with; without braces, which mean a hash tag to a
 * cluster
 * @param commandTimeout how long an answer of Redis is waited for
 * @param pause how long Redis is not asked after it has failed three times in a row
 * @param snapshotWindow how long a transaction may last that does not see an evict of
 * another: what older ones load may be stored although it is outdated
 * @param applicationName what the names of the connections begin with in
 * {@code CLIENT LIST}, as in {@code shop-cache}; not used where the connection factory
 * has a client name, which they begin with then
 * @since 1.0.0
 */
public record RedisCacheSettings(String keyPrefix, Duration commandTimeout, Duration pause, Duration snapshotWindow,
		@Nullable String applicationName) {

	private static final Duration SHORTEST_WINDOW = Duration.ofSeconds(5);

	/**
	 * Check the settings as soon as they are made.
	 * @throws IllegalArgumentException if the prefix is blank or has a brace, a time is
	 * not positive, or the window is shorter than 5 seconds
	 */
	public RedisCacheSettings {
		Assert.hasText(keyPrefix, "The key prefix of the cache must not be blank");
		Assert.isTrue(keyPrefix.indexOf('{') < 0 && keyPrefix.indexOf('}') < 0,
				() -> "The key prefix of the cache must not contain '{' or '}' but is '" + keyPrefix + "'");
		Assert.isTrue(commandTimeout.toMillis() > 0,
				() -> "The command time-out must be at least 1 ms but is " + text(commandTimeout));
		Assert.isTrue(pause.toMillis() > 0, () -> "The pause must be at least 1 ms but is " + text(pause));
		Assert.isTrue(snapshotWindow.compareTo(SHORTEST_WINDOW) >= 0,
				() -> "The snapshot window must be at least 5 s but is " + text(snapshotWindow));
	}

	/**
	 * Settings without a name of the application.
	 * @param keyPrefix what every key begins with
	 * @param commandTimeout how long an answer of Redis is waited for
	 * @param pause how long Redis is not asked after it has failed three times in a row
	 * @param snapshotWindow how long a transaction may last that does not see an evict of
	 * another
	 */
	public RedisCacheSettings(String keyPrefix, Duration commandTimeout, Duration pause, Duration snapshotWindow) {
		this(keyPrefix, commandTimeout, pause, snapshotWindow, null);
	}

	/**
	 * Prefix {@code cache:}, 250 ms for an answer, a pause of 2 seconds and a window of
	 * 30 seconds.
	 * @return the settings of the library
	 */
	public static RedisCacheSettings defaults() {
		return new RedisCacheSettings("cache:", Duration.ofMillis(250), Duration.ofSeconds(2), Duration.ofSeconds(30));
	}

	/** As properties are written: 1m30s, and not PT1M30S. */
	private static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
	}

}
