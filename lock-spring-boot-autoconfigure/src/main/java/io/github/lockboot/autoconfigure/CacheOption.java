package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.autoconfigure.CacheProperties.Named;
import io.github.lockboot.cache.CacheSettings;

/**
 * One thing that can be set for all caches, and for one by its name.
 *
 * @param <T> type of its value
 * @param property its name among the properties, both the general ones and those of one
 * cache
 * @param general tells what is set for all
 * @param named tells what is set for one, {@code null} if nothing is
 * @param change puts a value into settings; throws {@link IllegalArgumentException} if no
 * cache could work with it
 */
record CacheOption<T>(String property, Function<CacheProperties, T> general, Function<Named, @Nullable T> named,
		BiFunction<CacheSettings, T, CacheSettings> change) {

	static final List<CacheOption<?>> ALL = List.of(
			new CacheOption<>("ttl", CacheProperties::getTtl, Named::getTtl, CacheSettings::withTtl),
			new CacheOption<>("nullTtl", CacheProperties::getNullTtl, Named::getNullTtl, CacheSettings::withNullTtl),
			new CacheOption<>("staleTtl", CacheProperties::getStaleTtl, Named::getStaleTtl,
					CacheSettings::withStaleTtl),
			new CacheOption<>("jitter", CacheProperties::getJitter, Named::getJitter, CacheSettings::withJitter),
			new CacheOption<>("refreshAhead", CacheProperties::getRefreshAhead, Named::getRefreshAhead,
					CacheSettings::withRefreshAhead),
			new CacheOption<>("localTtl", CacheProperties::getLocalTtl, Named::getLocalTtl,
					CacheSettings::withLocalTtl),
			new CacheOption<>("localMax", CacheProperties::getLocalMax, Named::getLocalMax,
					CacheSettings::withLocalMax),
			new CacheOption<>("lease", CacheProperties::getLease, Named::getLease, CacheSettings::withLease),
			new CacheOption<>("maxLoadTime", CacheProperties::getMaxLoadTime, Named::getMaxLoadTime,
					CacheSettings::withMaxLoadTime),
			new CacheOption<>("waitTimeout", CacheProperties::getWaitTimeout, Named::getWaitTimeout,
					CacheSettings::withWaitTimeout),
			new CacheOption<>("onWaitTimeout", CacheProperties::getOnWaitTimeout, Named::getOnWaitTimeout,
					CacheSettings::withOnWaitTimeout),
			new CacheOption<>("onRedisError", CacheProperties::getOnRedisError, Named::getOnRedisError,
					CacheSettings::withOnRedisError),
			new CacheOption<>("maxSize", CacheProperties::getMaxSize, Named::getMaxSize, CacheOption::withMaxSize));

	/**
	 * Set what is set for all caches.
	 * @return new settings
	 * @throws IllegalArgumentException if no cache could work with the value
	 */
	CacheSettings set(CacheSettings settings, CacheProperties properties) {
		return set(settings, this.general.apply(properties));
	}

	/**
	 * Set what is set for one cache.
	 * @return new settings, or the same if nothing is
	 * @throws IllegalArgumentException if no cache could work with the value
	 */
	CacheSettings set(CacheSettings settings, Named properties) {
		return set(settings, this.named.apply(properties));
	}

	private CacheSettings set(CacheSettings settings, @Nullable T value) {
		return (value != null) ? this.change.apply(settings, value) : settings;
	}

	/** Keep the size within what the length of an array can be. */
	private static CacheSettings withMaxSize(CacheSettings settings, DataSize size) {
		Assert.isTrue(size.toBytes() > 0 && size.toBytes() <= Integer.MAX_VALUE,
				() -> "The size must be from 1 to " + Integer.MAX_VALUE + " bytes but is " + size);
		return settings.withMaxBytes((int) size.toBytes());
	}

}
