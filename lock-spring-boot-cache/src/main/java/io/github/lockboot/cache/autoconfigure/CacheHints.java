package io.github.lockboot.cache.autoconfigure;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.cache.interceptor.SimpleKey;

/**
 * Adds the scripts of the cache to a native image, and the field of Spring's keys that is
 * read by reflection.
 */
final class CacheHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/lockboot/cache/protocol/*.lua");
		hints.reflection().registerType(SimpleKey.class, (type) -> type.withField("params"));
	}

}
