package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.OnWaitTimeout;

/**
 * Options of one cache. An option that is not set is that of all caches, in
 * {@link CacheProperties}, which describes the options.
 *
 * @param type Type of the values, for the CacheManager of Spring.
 * @param serializer Bean name of the ValueCodec that serializes the values, in place of
 * JSON.
 * @since 1.0.0
 */
public record CacheOptions(@Nullable Duration ttl, @Nullable Duration nullTtl, @Nullable Duration staleTtl,
		@Nullable Double jitter, @Nullable Double refreshAhead, @Nullable Duration localTtl,
		@Nullable Duration localOutageTtl, @Nullable Integer localMax, @Nullable DataSize localMaxSize,
		@Nullable Duration lease, @Nullable Duration maxLoadTime, @Nullable Duration waitTimeout,
		@Nullable OnWaitTimeout onWaitTimeout, @Nullable OnRedisError onRedisError, @Nullable DataSize maxSize,
		@Nullable Class<?> type, @Nullable String serializer) {

	static final List<Setting<?>> SETTINGS = List.of(new Setting<>("ttl", CacheOptions::ttl, CacheSettings::withTtl),
			new Setting<>("nullTtl", CacheOptions::nullTtl, CacheSettings::withNullTtl),
			new Setting<>("staleTtl", CacheOptions::staleTtl, CacheSettings::withStaleTtl),
			new Setting<>("jitter", CacheOptions::jitter, CacheSettings::withJitter),
			new Setting<>("refreshAhead", CacheOptions::refreshAhead, CacheSettings::withRefreshAhead),
			new Setting<>("localTtl", CacheOptions::localTtl, CacheSettings::withLocalTtl),
			new Setting<>("localOutageTtl", CacheOptions::localOutageTtl, CacheSettings::withLocalOutageTtl),
			new Setting<>("localMax", CacheOptions::localMax, CacheSettings::withLocalMax),
			new Setting<>("localMaxSize", CacheOptions::localMaxSize,
					(settings, size) -> settings.withLocalMaxBytes(size.toBytes())),
			new Setting<>("lease", CacheOptions::lease, CacheSettings::withLease),
			new Setting<>("maxLoadTime", CacheOptions::maxLoadTime, CacheSettings::withMaxLoadTime),
			new Setting<>("waitTimeout", CacheOptions::waitTimeout, CacheSettings::withWaitTimeout),
			new Setting<>("onWaitTimeout", CacheOptions::onWaitTimeout, CacheSettings::withOnWaitTimeout),
			new Setting<>("onRedisError", CacheOptions::onRedisError, CacheSettings::withOnRedisError),
			new Setting<>("maxSize", CacheOptions::maxSize,
					(settings, size) -> settings.withMaxBytes(Math.toIntExact(size.toBytes()))));

	/** Return the settings with the options that are set. */
	CacheSettings applyTo(CacheSettings settings) {
		CacheSettings changed = settings;
		for (Setting<?> setting : SETTINGS) {
			changed = setting.applyTo(changed, this);
		}
		return changed;
	}

	/** Check all options, and report errors for the path of their properties. */
	void check(PropertyErrors errors, String path) {
		SETTINGS.forEach((setting) -> errors.check(path + setting.property,
				() -> setting.applyTo(CacheSettings.defaults(), this)));
	}

	/**
	 * The setting that an option changes.
	 *
	 * @param change throws {@link IllegalArgumentException} for an invalid value
	 */
	record Setting<T>(String property, Function<CacheOptions, @Nullable T> value,
			BiFunction<CacheSettings, T, CacheSettings> change) {

		CacheSettings applyTo(CacheSettings settings, CacheOptions options) {
			T value = this.value.apply(options);
			return (value != null) ? this.change.apply(settings, value) : settings;
		}

	}

}
