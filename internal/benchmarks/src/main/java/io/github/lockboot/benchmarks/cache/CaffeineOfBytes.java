package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Caffeine with the bytes of the values, so that no caller can change the value of
 * another. This is the minimum cost of copies that are as safe as those of this library.
 */
final class CaffeineOfBytes implements CachePeer {

	private final Cache<String, byte[]> cache = Caffeine.newBuilder()
		.maximumSize(10_000)
		.expireAfterWrite(Duration.ofMinutes(1))
		.build();

	private final ProductCodec codec = ProductCodec.of(Product.class);

	@Override
	public Product get(String key, Supplier<Product> loader) {
		return this.codec.product(this.cache.get(key, (missing) -> this.codec.encode(loader.get())));
	}

	@Override
	public void close() {
	}

}
