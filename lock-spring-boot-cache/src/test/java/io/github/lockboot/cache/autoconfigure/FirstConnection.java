package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;

import org.awaitility.Awaitility;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;

/**
 * The first connection of a cache: on a busy machine it takes longer than a call waits
 * for it.
 */
final class FirstConnection {

	private static final CacheSpec<String> CACHE = CacheSpec.of("first-connection", String.class);

	private FirstConnection() {
	}

	static void await(CacheOperations cache) {
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
			cache.put(CACHE, 0, "connected");
			return cache.getIfPresent(CACHE, 0) != null;
		});
	}

}
