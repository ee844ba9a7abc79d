package io.github.lockboot.autoconfigure;

import java.util.function.BiFunction;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;

/**
 * Turns the properties of the cache into the values of its API.
 */
final class NamedCacheSettings {

	private NamedCacheSettings() {
	}

	static CacheSettings of(CacheProperties properties) {
		return new CacheSettings(properties.getTtl(), properties.getNullTtl(), properties.getStaleTtl(),
				properties.getJitter(), properties.getRefreshAhead(), properties.getLocalTtl(),
				properties.getLocalMax(), properties.getLease(), properties.getWaitTimeout(),
				properties.getOnWaitTimeout(), properties.getOnRedisError(), (int) properties.getMaxSize().toBytes(),
				null);
	}

	static CacheSettings of(CacheProperties properties, String name) {
		CacheSettings general = of(properties);
		CacheProperties.Named named = properties.getCaches().get(name);
		return (named != null) ? merge(general, named) : general;
	}

	/** The caches whose values have a type. */
	static Stream<CacheSpec<?>> typed(CacheProperties properties) {
		return properties.getCaches().entrySet().stream().flatMap((entry) -> {
			Class<?> type = entry.getValue().getType();
			return (type != null) ? Stream.of(CacheSpec.of(entry.getKey(), type)) : Stream.empty();
		});
	}

	private static CacheSettings merge(CacheSettings general, CacheProperties.Named named) {
		CacheSettings merged = general;
		merged = with(merged, named.getTtl(), CacheSettings::withTtl);
		merged = with(merged, named.getNullTtl(), CacheSettings::withNullTtl);
		merged = with(merged, named.getStaleTtl(), CacheSettings::withStaleTtl);
		merged = with(merged, named.getJitter(), CacheSettings::withJitter);
		merged = with(merged, named.getRefreshAhead(), CacheSettings::withRefreshAhead);
		merged = with(merged, named.getLocalTtl(), CacheSettings::withLocalTtl);
		merged = with(merged, named.getLocalMax(), CacheSettings::withLocalMax);
		merged = with(merged, named.getLease(), CacheSettings::withLease);
		merged = with(merged, named.getWaitTimeout(), CacheSettings::withWaitTimeout);
		merged = with(merged, named.getOnWaitTimeout(), CacheSettings::withOnWaitTimeout);
		merged = with(merged, named.getOnRedisError(), CacheSettings::withOnRedisError);
		merged = with(merged, named.getMaxSize(), (settings, size) -> settings.withMaxBytes((int) size.toBytes()));
		return merged;
	}

	private static <T> CacheSettings with(CacheSettings settings, @Nullable T value,
			BiFunction<CacheSettings, T, CacheSettings> change) {
		return (value != null) ? change.apply(settings, value) : settings;
	}

}
