package io.github.lockboot.autoconfigure;

import java.util.stream.Stream;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;

/**
 * Turns the properties of the cache into the values of its API.
 */
final class NamedCacheSettings {

	private NamedCacheSettings() {
	}

	static CacheSettings of(CacheProperties properties, String name) {
		CacheProperties.Named own = RelaxedNames.find(properties.getCaches(), name);
		CacheProperties.Named named = (own != null) ? own : new CacheProperties.Named();
		CacheSettings settings = CacheSettings.defaults();
		for (CacheOption<?> option : CacheOption.ALL) {
			settings = option.set(option.set(settings, properties), named);
		}
		return settings;
	}

	/** The caches whose values have a type. */
	static Stream<CacheSpec<?>> typed(CacheProperties properties) {
		return properties.getCaches().entrySet().stream().flatMap((entry) -> {
			Class<?> type = entry.getValue().getType();
			return (type != null) ? Stream.of(CacheSpec.of(entry.getKey(), type)) : Stream.empty();
		});
	}

}
