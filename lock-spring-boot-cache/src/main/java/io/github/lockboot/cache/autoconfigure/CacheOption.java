package io.github.lockboot.cache.autoconfigure;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.autoconfigure.RelaxedNames;
import io.github.lockboot.cache.CacheSettings;

/**
 * Maps one of the {@link CacheOptions} to a setting.
 *
 * @param value reads the option, {@code null} if it is not set
 * @param change changes the setting; throws {@link IllegalArgumentException} for an
 * invalid value
 */
record CacheOption<T>(String property, Function<CacheOptions, @Nullable T> value,
		BiFunction<CacheSettings, T, CacheSettings> change) {

	static final List<CacheOption<?>> ALL = List.of(
			new CacheOption<>("ttl", CacheOptions::getTtl, CacheSettings::withTtl),
			new CacheOption<>("nullTtl", CacheOptions::getNullTtl, CacheSettings::withNullTtl),
			new CacheOption<>("staleTtl", CacheOptions::getStaleTtl, CacheSettings::withStaleTtl),
			new CacheOption<>("jitter", CacheOptions::getJitter, CacheSettings::withJitter),
			new CacheOption<>("refreshAhead", CacheOptions::getRefreshAhead, CacheSettings::withRefreshAhead),
			new CacheOption<>("localTtl", CacheOptions::getLocalTtl, CacheSettings::withLocalTtl),
			new CacheOption<>("localOutageTtl", CacheOptions::getLocalOutageTtl, CacheSettings::withLocalOutageTtl),
			new CacheOption<>("localMax", CacheOptions::getLocalMax, CacheSettings::withLocalMax),
			new CacheOption<>("localMaxSize", CacheOptions::getLocalMaxSize,
					(settings, size) -> settings.withLocalMaxBytes(size.toBytes())),
			new CacheOption<>("lease", CacheOptions::getLease, CacheSettings::withLease),
			new CacheOption<>("maxLoadTime", CacheOptions::getMaxLoadTime, CacheSettings::withMaxLoadTime),
			new CacheOption<>("waitTimeout", CacheOptions::getWaitTimeout, CacheSettings::withWaitTimeout),
			new CacheOption<>("onWaitTimeout", CacheOptions::getOnWaitTimeout, CacheSettings::withOnWaitTimeout),
			new CacheOption<>("onRedisError", CacheOptions::getOnRedisError, CacheSettings::withOnRedisError),
			new CacheOption<>("maxSize", CacheOptions::getMaxSize, CacheOption::withMaxSize),
			new CacheOption<>("compressAbove", CacheOptions::getCompressAbove,
					(settings, size) -> settings.withCompressAbove(Math.toIntExact(size.toBytes()))));

	/** Return the settings of a cache: its own options, or else the general ones. */
	static CacheSettings settings(CacheProperties general, String cacheName) {
		CacheOptions own = RelaxedNames.find(general.getCaches(), cacheName);
		CacheSettings settings = CacheSettings.defaults();
		for (CacheOption<?> option : ALL) {
			settings = option.set(settings, general);
			settings = (own != null) ? option.set(settings, own) : settings;
		}
		return settings;
	}

	/** Check all options, and report errors for the path of their properties. */
	static void check(PropertyErrors errors, String path, CacheOptions options) {
		ALL.forEach(
				(option) -> errors.check(path + option.property, () -> option.set(CacheSettings.defaults(), options)));
	}

	/** Return the settings with this option if it is set. */
	CacheSettings set(CacheSettings settings, CacheOptions options) {
		T value = this.value.apply(options);
		return (value != null) ? this.change.apply(settings, value) : settings;
	}

	/** The maximum is that of the length of an array. */
	private static CacheSettings withMaxSize(CacheSettings settings, DataSize size) {
		Assert.isTrue(size.toBytes() > 0 && size.toBytes() <= Integer.MAX_VALUE,
				() -> "The size must be from 1 to " + Integer.MAX_VALUE + " bytes but is " + size);
		return settings.withMaxBytes((int) size.toBytes());
	}

}
