package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Caffeine of objects: all callers get the same object.
 */
final class CaffeineOfObjects implements CachePeer {

	private final Cache<String, Product> cache = Caffeine.newBuilder()
		.maximumSize(10_000)
		.expireAfterWrite(Duration.ofMinutes(1))
		.build();

	@Override
	public Product get(String key, Supplier<Product> loader) {
		return this.cache.get(key, (missing) -> loader.get());
	}

	@Override
	public void close() {
	}

}
