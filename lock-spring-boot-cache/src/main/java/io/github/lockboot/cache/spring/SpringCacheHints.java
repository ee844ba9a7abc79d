package io.github.lockboot.cache.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.cache.interceptor.SimpleKey;

/**
 * Registers the field of Spring's keys that is read by reflection.
 */
final class SpringCacheHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.reflection().registerType(SimpleKey.class, MemberCategory.ACCESS_DECLARED_FIELDS);
	}

}
