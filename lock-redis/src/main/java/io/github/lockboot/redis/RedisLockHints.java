package io.github.lockboot.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Adds the scripts, and a type whose presence is checked by its name, to a native image.
 */
final class RedisLockHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources().registerPattern("io/github/lockboot/redis/*.lua");
		hints.reflection()
			.registerTypeIfPresent(classLoader, "io.github.lockboot.local.LocalLockTemplate")
			.registerTypeIfPresent(classLoader,
					"org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails");
	}

}
