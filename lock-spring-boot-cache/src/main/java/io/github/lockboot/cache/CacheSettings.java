package io.github.lockboot.cache;

import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.Internal;
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
 * @param localMaxSize maximum size of all local copies together, in place of
 * {@code localMax}; zero for no such limit
 * @param lease how long the lease of a load lasts without a renewal by its JVM. It should
 * be well below {@code waitTimeout}, so that callers of other JVMs detect the crash of a
 * loading JVM before they time out
 * @param maxLoadTime how long a load may run before another caller may load the entry;
 * the value of a longer load is returned to its own caller and not stored
 * @param waitTimeout how long a caller waits for the load of another JVM
 * @param onWaitTimeout what a call does after that time
 * @param onRedisError what a call does if Redis does not reply or rejects a command
 * @param maxSize maximum size of an entry; larger entries are not stored
 * @param serializer serializer of the values of this cache, which may support types that
 * the JSON serializer does not support; {@code null} for the serializer of the template
 * @since 1.0.0
 */
public record CacheSettings(Duration ttl, Duration nullTtl, Duration staleTtl, double jitter, double refreshAhead,
		Duration localTtl, Duration localOutageTtl, int localMax, DataSize localMaxSize, Duration lease,
		Duration maxLoadTime, Duration waitTimeout, OnWaitTimeout onWaitTimeout, OnRedisError onRedisError,
		DataSize maxSize, @Nullable ValueCodec serializer) {

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
		checkCopies("localTtl", localTtl);
		checkCopies("localOutageTtl", localOutageTtl);
		Assert.isTrue(localMax > 0, () -> "'localMax' must be positive but is " + localMax);
		Assert.isTrue(!localMaxSize.isNegative(), () -> "'localMaxSize' must not be negative but is " + localMaxSize);
		checkTime("lease", lease, 100);
		checkTime("maxLoadTime", maxLoadTime, 100);
		checkTime("waitTimeout", waitTimeout, 0);
		Assert.isTrue(maxSize.toBytes() > 0 && maxSize.toBytes() <= Integer.MAX_VALUE,
				() -> "'maxSize' must be from 1B to 2147483647B but is " + maxSize);
	}

	/**
	 * Return the default settings: a {@code ttl} of 5 minutes with a jitter of 0.1, nulls
	 * for 30 seconds, no stale entries, no refresh and no local copies; a lease of 3
	 * seconds, loads of up to a minute, and a {@code waitTimeout} of 10 seconds; methods
	 * run if Redis fails; entries of up to 1 MiB.
	 */
	public static CacheSettings defaults() {
		return new CacheSettings(Duration.ofMinutes(5), Duration.ofSeconds(30), Duration.ZERO, 0.1, 0, Duration.ZERO,
				Duration.ZERO, 10_000, DataSize.ofBytes(0), Duration.ofSeconds(3), Duration.ofMinutes(1),
				Duration.ofSeconds(10), OnWaitTimeout.LOAD, OnRedisError.LOAD, DataSize.ofMegabytes(1), null);
	}

	public CacheSettings withTtl(Duration ttl) {
		return with("ttl", ttl);
	}

	public CacheSettings withNullTtl(Duration nullTtl) {
		return with("nullTtl", nullTtl);
	}

	public CacheSettings withStaleTtl(Duration staleTtl) {
		return with("staleTtl", staleTtl);
	}

	public CacheSettings withJitter(double jitter) {
		return with("jitter", jitter);
	}

	public CacheSettings withRefreshAhead(double refreshAhead) {
		return with("refreshAhead", refreshAhead);
	}

	public CacheSettings withLocalTtl(Duration localTtl) {
		return with("localTtl", localTtl);
	}

	public CacheSettings withLocalOutageTtl(Duration localOutageTtl) {
		return with("localOutageTtl", localOutageTtl);
	}

	public CacheSettings withLocalMax(int localMax) {
		return with("localMax", localMax);
	}

	public CacheSettings withLocalMaxSize(DataSize localMaxSize) {
		return with("localMaxSize", localMaxSize);
	}

	public CacheSettings withLease(Duration lease) {
		return with("lease", lease);
	}

	public CacheSettings withMaxLoadTime(Duration maxLoadTime) {
		return with("maxLoadTime", maxLoadTime);
	}

	public CacheSettings withWaitTimeout(Duration waitTimeout) {
		return with("waitTimeout", waitTimeout);
	}

	public CacheSettings withOnWaitTimeout(OnWaitTimeout onWaitTimeout) {
		return with("onWaitTimeout", onWaitTimeout);
	}

	public CacheSettings withOnRedisError(OnRedisError onRedisError) {
		return with("onRedisError", onRedisError);
	}

	public CacheSettings withMaxSize(DataSize maxSize) {
		return with("maxSize", maxSize);
	}

	/**
	 * Return these settings with a serializer. All uses of a cache need the same
	 * serializer, so prefer the {@code serializer} property of the cache. Entries of the
	 * template's serializer are misses for the serializer of the cache, and vice versa;
	 * the latter has to reject entries of other serializers itself.
	 */
	public CacheSettings withSerializer(@Nullable ValueCodec serializer) {
		return with("serializer", serializer);
	}

	/**
	 * Return these settings with the options that properties or an annotation set: an
	 * option has the same name there as its component here.
	 * @param values returns the value of an option, {@code null} if it is not set
	 */
	@Internal
	public CacheSettings withAll(Function<RecordComponent, @Nullable Object> values) {
		return changed((option, present) -> {
			Object value = values.apply(option);
			return (value != null) ? value : present;
		});
	}

	private CacheSettings with(String name, @Nullable Object value) {
		return changed((option, present) -> option.getName().equals(name) ? value : present);
	}

	private CacheSettings changed(BiFunction<RecordComponent, @Nullable Object, @Nullable Object> change) {
		@Nullable Object[] values = Stream.of(CacheSettings.class.getRecordComponents())
			.map((option) -> change.apply(option, ReflectionUtils.invokeMethod(option.getAccessor(), this)))
			.toArray();
		try {
			return BeanUtils.instantiateClass(BeanUtils.getResolvableConstructor(CacheSettings.class), values);
		}
		catch (BeanInstantiationException ex) {
			throw (ex.getCause() instanceof IllegalArgumentException invalid) ? invalid : ex;
		}
	}

	/** Return whether this JVM keeps local copies. */
	@Internal
	public boolean hasCopies() {
		return !this.localTtl.isZero() || !this.localOutageTtl.isZero();
	}

	private static void checkCopies(String setting, Duration ttl) {
		checkTime(setting, ttl, 0);
		Assert.isTrue(CAFFEINE || ttl.isZero(),
				() -> "'" + setting + "' needs Caffeine: add com.github.ben-manes.caffeine:caffeine, or set it to 0");
	}

	static void checkTime(String name, Duration value, long least) {
		Assert.isTrue(value.compareTo(Duration.ofMillis(least)) >= 0 && value.compareTo(LockDefaults.longest()) <= 0,
				() -> "'" + name + "' must be from " + least + " ms to 365 days but is " + LockDefaults.text(value));
	}

}
