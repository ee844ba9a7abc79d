package io.github.lockboot.cache;

import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.Assert;

import io.github.lockboot.cache.codec.ValueCodec;

/**
 * How the entries of a cache are loaded, kept and served.
 *
 * @param ttl how long an entry is fresh
 * @param nullTtl how long a {@code null} or an empty {@code Optional} is; zero does not
 * store them
 * @param staleTtl how much longer an entry is served while a new one is loaded in the
 * background
 * @param jitter part of the {@code ttl} by which it is made longer or shorter at random,
 * so that entries stored together do not end together
 * @param refreshAhead how eagerly an entry is loaded anew before it ends, in the
 * background: 0 never, 1 usually at about the time that a load takes before its end, more
 * is earlier
 * @param localTtl how long a copy in this JVM is served without asking Redis; zero keeps
 * none. A change in another JVM is seen when its message arrives and after this time at
 * the latest
 * @param localOutageTtl how long a copy in this JVM is served while Redis fails; zero
 * serves none. Changes in other JVMs are not seen meanwhile
 * @param localMax how many copies this JVM keeps
 * @param localMaxBytes how long all copies of this JVM may be together, in place of
 * {@code localMax}; zero for no such bound
 * @param lease how long a load lasts without a sign of life of its JVM; longer ones are
 * renewed. It should be well below {@code waitTimeout}, so that the callers of other JVMs
 * find out that a loading JVM has died before they have waited for long enough
 * @param maxLoadTime how long a load may run before another caller may load the entry;
 * what it returns after that goes to its own caller only and is not stored
 * @param waitTimeout how long a caller waits for the load of another JVM
 * @param onWaitTimeout what happens then
 * @param onRedisError what happens when Redis does not answer or refuses
 * @param maxBytes how long an entry may be; longer ones are not stored
 * @param compressAbove length above which an entry is compressed, if it gets shorter by
 * that; zero compresses none
 * @param serializer writes the values of this cache and no others, and may bring back
 * what their type does not say; {@code null} for that of the template
 * @since 1.0.0
 */
public record CacheSettings(Duration ttl, Duration nullTtl, Duration staleTtl, double jitter, double refreshAhead,
		Duration localTtl, Duration localOutageTtl, int localMax, long localMaxBytes, Duration lease,
		Duration maxLoadTime, Duration waitTimeout, OnWaitTimeout onWaitTimeout, OnRedisError onRedisError,
		int maxBytes, int compressAbove, @Nullable ValueCodec serializer) {

	/** Longest time that is taken, so that none of them overflows. */
	private static final Duration LONGEST = Duration.ofDays(365);

	/**
	 * Check the settings as soon as they are made.
	 * @throws IllegalArgumentException if one is out of its bounds
	 */
	public CacheSettings {
		checkAtLeastMillis("ttl", ttl, 1);
		checkAtLeastMillis("nullTtl", nullTtl, 0);
		checkAtLeastMillis("staleTtl", staleTtl, 0);
		Assert.isTrue(jitter >= 0 && jitter < 1, () -> "'jitter' must be at least 0 and below 1 but is " + jitter);
		Assert.isTrue(refreshAhead >= 0 && refreshAhead <= 100,
				() -> "'refreshAhead' must be from 0 to 100 but is " + refreshAhead);
		checkAtLeastMillis("localTtl", localTtl, 0);
		checkAtLeastMillis("localOutageTtl", localOutageTtl, 0);
		Assert.isTrue(localMax > 0, () -> "'localMax' must be positive but is " + localMax);
		Assert.isTrue(localMaxBytes >= 0, () -> "'localMaxBytes' must not be negative but is " + localMaxBytes);
		checkAtLeastMillis("lease", lease, 100);
		checkAtLeastMillis("maxLoadTime", maxLoadTime, 100);
		checkAtLeastMillis("waitTimeout", waitTimeout, 0);
		Assert.isTrue(maxBytes > 0, () -> "'maxBytes' must be positive but is " + maxBytes);
		Assert.isTrue(compressAbove >= 0, () -> "'compressAbove' must not be negative but is " + compressAbove);
	}

	/**
	 * Five minutes fresh, nulls for 30 seconds, nothing stale, nothing local; a lease of
	 * 3 seconds, loads of up to a minute and 10 seconds to wait; methods run where Redis
	 * fails.
	 * @return the settings of the library
	 */
	public static CacheSettings defaults() {
		return new CacheSettings(Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ZERO, 0.1, 0, Duration.ZERO,
				Duration.ZERO, 10_000, 0, Duration.ofSeconds(3), Duration.ofMinutes(1), Duration.ofSeconds(10),
				OnWaitTimeout.LOAD, OnRedisError.LOAD, 1 << 20, 0, null);
	}

	public CacheSettings withTtl(Duration ttl) {
		return with((changed) -> changed.ttl = ttl);
	}

	public CacheSettings withNullTtl(Duration nullTtl) {
		return with((changed) -> changed.nullTtl = nullTtl);
	}

	public CacheSettings withStaleTtl(Duration staleTtl) {
		return with((changed) -> changed.staleTtl = staleTtl);
	}

	public CacheSettings withJitter(double jitter) {
		return with((changed) -> changed.jitter = jitter);
	}

	public CacheSettings withRefreshAhead(double refreshAhead) {
		return with((changed) -> changed.refreshAhead = refreshAhead);
	}

	public CacheSettings withLocalTtl(Duration localTtl) {
		return with((changed) -> changed.localTtl = localTtl);
	}

	public CacheSettings withLocalOutageTtl(Duration localOutageTtl) {
		return with((changed) -> changed.localOutageTtl = localOutageTtl);
	}

	public CacheSettings withLocalMax(int localMax) {
		return with((changed) -> changed.localMax = localMax);
	}

	public CacheSettings withLocalMaxBytes(long localMaxBytes) {
		return with((changed) -> changed.localMaxBytes = localMaxBytes);
	}

	public CacheSettings withLease(Duration lease) {
		return with((changed) -> changed.lease = lease);
	}

	public CacheSettings withMaxLoadTime(Duration maxLoadTime) {
		return with((changed) -> changed.maxLoadTime = maxLoadTime);
	}

	public CacheSettings withWaitTimeout(Duration waitTimeout) {
		return with((changed) -> changed.waitTimeout = waitTimeout);
	}

	public CacheSettings withOnWaitTimeout(OnWaitTimeout onWaitTimeout) {
		return with((changed) -> changed.onWaitTimeout = onWaitTimeout);
	}

	public CacheSettings withOnRedisError(OnRedisError onRedisError) {
		return with((changed) -> changed.onRedisError = onRedisError);
	}

	public CacheSettings withMaxBytes(int maxBytes) {
		return with((changed) -> changed.maxBytes = maxBytes);
	}

	public CacheSettings withCompressAbove(int compressAbove) {
		return with((changed) -> changed.compressAbove = compressAbove);
	}

	/**
	 * The same settings with a serializer. All that use the cache's name need the same
	 * one, so a bean is better named in the properties of the name. Entries of the
	 * template's serializer are misses for it, and the other way round; it has to refuse
	 * those of another one itself.
	 * @param serializer see {@link CacheSettings}
	 * @return new settings
	 */
	public CacheSettings withSerializer(@Nullable ValueCodec serializer) {
		return with((changed) -> changed.serializer = serializer);
	}

	private CacheSettings with(Consumer<Changed> change) {
		Changed changed = new Changed(this);
		change.accept(changed);
		return changed.settings();
	}

	private static void checkAtLeastMillis(String name, Duration value, long least) {
		Assert.isTrue(value.compareTo(Duration.ofMillis(least)) >= 0 && value.compareTo(LONGEST) <= 0,
				() -> "'" + name + "' must be from " + least + " ms to 365 days but is " + text(value));
	}

	/** As properties are written: 1m30s, and not PT1M30S. */
	static String text(Duration duration) {
		return DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE);
	}

	/** Settings while one of them is changed. */
	private static final class Changed {

		private Duration ttl;

		private Duration nullTtl;

		private Duration staleTtl;

		private double jitter;

		private double refreshAhead;

		private Duration localTtl;

		private Duration localOutageTtl;

		private int localMax;

		private long localMaxBytes;

		private Duration lease;

		private Duration maxLoadTime;

		private Duration waitTimeout;

		private OnWaitTimeout onWaitTimeout;

		private OnRedisError onRedisError;

		private int maxBytes;

		private int compressAbove;

		private @Nullable ValueCodec serializer;

		Changed(CacheSettings settings) {
			this.ttl = settings.ttl;
			this.nullTtl = settings.nullTtl;
			this.staleTtl = settings.staleTtl;
			this.jitter = settings.jitter;
			this.refreshAhead = settings.refreshAhead;
			this.localTtl = settings.localTtl;
			this.localOutageTtl = settings.localOutageTtl;
			this.localMax = settings.localMax;
			this.localMaxBytes = settings.localMaxBytes;
			this.lease = settings.lease;
			this.maxLoadTime = settings.maxLoadTime;
			this.waitTimeout = settings.waitTimeout;
			this.onWaitTimeout = settings.onWaitTimeout;
			this.onRedisError = settings.onRedisError;
			this.maxBytes = settings.maxBytes;
			this.compressAbove = settings.compressAbove;
			this.serializer = settings.serializer;
		}

		CacheSettings settings() {
			return new CacheSettings(this.ttl, this.nullTtl, this.staleTtl, this.jitter, this.refreshAhead,
					this.localTtl, this.localOutageTtl, this.localMax, this.localMaxBytes, this.lease, this.maxLoadTime,
					this.waitTimeout, this.onWaitTimeout, this.onRedisError, this.maxBytes, this.compressAbove,
					this.serializer);
		}

	}

}
