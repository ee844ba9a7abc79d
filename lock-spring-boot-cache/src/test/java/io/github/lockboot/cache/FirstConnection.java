package io.github.lockboot.cache;

import org.awaitility.Awaitility;

/**
 * The first connection of a cache: on a busy machine it takes longer than a call waits
 * for it.
 */
public final class FirstConnection {

	private static final CacheSpec<String> CACHE = CacheSpec.of("first-connection", String.class);

	private FirstConnection() {
	}

	public static void await(CacheOperations cache) {
		await(cache, CACHE);
	}

	/** Wait until the cache has stored an entry, whose epoch is then known. */
	public static void await(CacheOperations cache, CacheSpec<String> spec) {
		Awaitility.await().until(() -> {
			cache.put(spec, "warm", "up");
			return cache.getIfPresent(spec, "warm") != null;
		});
	}

}
