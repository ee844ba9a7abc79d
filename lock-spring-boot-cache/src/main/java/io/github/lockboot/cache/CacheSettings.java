package io.github.lockboot.cache;

import java.time.Duration;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.cache.codec.ValueCodec;

/**
 * Settings of a cache.
 *
 * @param ttl how long an entry is fresh
 * @param nullTtl how long a {@code null} or an empty {@code Optional} is fresh; zero
 * means that they are not stored
 * @param staleTtl how long after its {@code ttl} an entry is served while a new one is
 * loaded in the background
 * @param jitter fraction of the {@code ttl} by which the {@code ttl} is varied at random,
 * so that entries that are stored together do not expire together
 * @param refreshAhead how early an entry is refreshed in the background before it
 * expires: 0 means never, 1 usually means by the time of one load, and a greater value
 * means earlier
 * @param localTtl how long a local copy of this JVM is served without a command to Redis;
 * zero keeps no copies. A change in another JVM takes effect when its message arrives,
 * and after this time at the latest
 * @param localOutageTtl how long a local copy is served while Redis fails; zero serves
 * none. Changes in other JVMs have no effect meanwhile
 * @param localMax maximum number of local copies
 * @param localMaxBytes maximum size of all local copies together, in place of
 * {@code localMax}; zero for no such limit
 * @param lease how long the lease of a load lasts without a renewal by its JVM. It should
 * be well below {@code waitTimeout}, so that callers of other JVMs detect the crash of a
 * loading JVM before they time out
 * @param maxLoadTime how long a load may run before another caller may load the entry;
 * the value of a longer load is returned to its own caller and not stored
 * @param waitTimeout how long a caller waits for the load of another JVM
 * @param onWaitTimeout what a call does after that time
 * @param onRedisError what a call does if Redis does not reply or rejects a command
 * @param maxBytes maximum size of an entry; larger entries are not stored
 * @param serializer serializer of the values of this cache, which may support types that
 * the JSON serializer does not support; {@code null} for the serializer of the template
 * @since 1.0.0
 */
public record CacheSettings(Duration ttl, Duration nullTtl, Duration staleTtl, double jitter, double refreshAhead,
		Duration localTtl, Duration localOutageTtl, int localMax, long localMaxBytes, Duration lease,
		Duration maxLoadTime, Duration waitTimeout, OnWaitTimeout onWaitTimeout, OnRedisError onRedisError,
		int maxBytes, @Nullable ValueCodec serializer) {

	private static final boolean CAFFEINE = ClassUtils.isPresent("com.github.benmanes.caffeine.cache.Caffeine",
			CacheSettings.class.getClassLoader());

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if a value is out of its bounds, or Caffeine is
	 * missing for local copies
	 */
	public CacheSettings {
		checkTime("ttl", ttl, 1);
		checkTime("nullTtl", nullTtl, 0);
		checkTime("staleTtl", staleTtl, 0);
		Assert.isTrue(jitter >= 0 && jitter < 1, () -> "'jitter' must be at least 0 and below 1 but is " + jitter);
		Assert.isTrue(refreshAhead >= 0 && refreshAhead <= 100,
				() -> "'refreshAhead' must be from 0 to 100 but is " + refreshAhead);
		checkTime("localTtl", localTtl, 0);
		checkTime("localOutageTtl", localOutageTtl, 0);
		checkCopies("localTtl", localTtl);
		checkCopies("localOutageTtl", localOutageTtl);
		Assert.isTrue(localMax > 0, () -> "'localMax' must be positive but is " + localMax);
		Assert.isTrue(localMaxBytes >= 0, () -> "'localMaxBytes' must not be negative but is " + localMaxBytes);
		checkTime("lease", lease, 100);
		checkTime("maxLoadTime", maxLoadTime, 100);
		checkTime("waitTimeout", waitTimeout, 0);
		Assert.isTrue(maxBytes > 0, () -> "'maxBytes' must be positive but is " + maxBytes);
	}

	/**
	 * Return the default settings: a {@code ttl} of 5 minutes with a jitter of 0.1, nulls
	 * for 30 seconds, no stale entries, no refresh and no local copies; a lease of 3
	 * seconds, loads of up to a minute, and a {@code waitTimeout} of 10 seconds; methods
	 * run if Redis fails; entries of up to 1 MiB.
	 */
	public static CacheSettings defaults() {
		return new CacheSettings(Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ZERO, 0.1, 0, Duration.ZERO,
				Duration.ZERO, 10_000, 0, Duration.ofSeconds(3), Duration.ofMinutes(1), Duration.ofSeconds(10),
				OnWaitTimeout.LOAD, OnRedisError.LOAD, 1 << 20, null);
	}

	public CacheSettings withTtl(Duration ttl) {
		return with((copy) -> copy.ttl = ttl);
	}

	public CacheSettings withNullTtl(Duration nullTtl) {
		return with((copy) -> copy.nullTtl = nullTtl);
	}

	public CacheSettings withStaleTtl(Duration staleTtl) {
		return with((copy) -> copy.staleTtl = staleTtl);
	}

	public CacheSettings withJitter(double jitter) {
		return with((copy) -> copy.jitter = jitter);
	}

	public CacheSettings withRefreshAhead(double refreshAhead) {
		return with((copy) -> copy.refreshAhead = refreshAhead);
	}

	public CacheSettings withLocalTtl(Duration localTtl) {
		return with((copy) -> copy.localTtl = localTtl);
	}

	public CacheSettings withLocalOutageTtl(Duration localOutageTtl) {
		return with((copy) -> copy.localOutageTtl = localOutageTtl);
	}

	public CacheSettings withLocalMax(int localMax) {
		return with((copy) -> copy.localMax = localMax);
	}

	public CacheSettings withLocalMaxBytes(long localMaxBytes) {
		return with((copy) -> copy.localMaxBytes = localMaxBytes);
	}

	public CacheSettings withLease(Duration lease) {
		return with((copy) -> copy.lease = lease);
	}

	public CacheSettings withMaxLoadTime(Duration maxLoadTime) {
		return with((copy) -> copy.maxLoadTime = maxLoadTime);
	}

	public CacheSettings withWaitTimeout(Duration waitTimeout) {
		return with((copy) -> copy.waitTimeout = waitTimeout);
	}

	public CacheSettings withOnWaitTimeout(OnWaitTimeout onWaitTimeout) {
		return with((copy) -> copy.onWaitTimeout = onWaitTimeout);
	}

	public CacheSettings withOnRedisError(OnRedisError onRedisError) {
		return with((copy) -> copy.onRedisError = onRedisError);
	}

	public CacheSettings withMaxBytes(int maxBytes) {
		return with((copy) -> copy.maxBytes = maxBytes);
	}

	/**
	 * Return these settings with a serializer. All uses of a cache need the same
	 * serializer, so prefer the {@code serializer} property of the cache. Entries of the
	 * template's serializer are misses for the serializer of the cache, and vice versa;
	 * the latter has to reject entries of other serializers itself.
	 */
	public CacheSettings withSerializer(@Nullable ValueCodec serializer) {
		return with((copy) -> copy.serializer = serializer);
	}

	private CacheSettings with(Consumer<Copy> change) {
		Copy copy = new Copy();
		change.accept(copy);
		return copy.settings();
	}

	private static void checkCopies(String setting, Duration ttl) {
		Assert.isTrue(CAFFEINE || ttl.isZero(),
				() -> "'" + setting + "' needs Caffeine: add com.github.ben-manes.caffeine:caffeine, or set it to 0");
	}

	static void checkTime(String name, Duration value, long least) {
		Assert.isTrue(value.compareTo(Duration.ofMillis(least)) >= 0 && value.compareTo(LockDefaults.longest()) <= 0,
				() -> "'" + name + "' must be from " + least + " ms to 365 days but is " + LockDefaults.text(value));
	}

	private final class Copy {

		private Duration ttl = CacheSettings.this.ttl;

		private Duration nullTtl = CacheSettings.this.nullTtl;

		private Duration staleTtl = CacheSettings.this.staleTtl;

		private double jitter = CacheSettings.this.jitter;

		private double refreshAhead = CacheSettings.this.refreshAhead;

		private Duration localTtl = CacheSettings.this.localTtl;

		private Duration localOutageTtl = CacheSettings.this.localOutageTtl;

		private int localMax = CacheSettings.this.localMax;

		private long localMaxBytes = CacheSettings.this.localMaxBytes;

		private Duration lease = CacheSettings.this.lease;

		private Duration maxLoadTime = CacheSettings.this.maxLoadTime;

		private Duration waitTimeout = CacheSettings.this.waitTimeout;

		private OnWaitTimeout onWaitTimeout = CacheSettings.this.onWaitTimeout;

		private OnRedisError onRedisError = CacheSettings.this.onRedisError;

		private int maxBytes = CacheSettings.this.maxBytes;

		private @Nullable ValueCodec serializer = CacheSettings.this.serializer;

		CacheSettings settings() {
			return new CacheSettings(this.ttl, this.nullTtl, this.staleTtl, this.jitter, this.refreshAhead,
					this.localTtl, this.localOutageTtl, this.localMax, this.localMaxBytes, this.lease, this.maxLoadTime,
					this.waitTimeout, this.onWaitTimeout, this.onRedisError, this.maxBytes, this.serializer);
		}

	}

}
