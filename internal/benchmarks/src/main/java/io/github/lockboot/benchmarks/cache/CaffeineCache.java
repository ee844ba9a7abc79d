package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/**
 * Caffeine with objects, which all callers share, or with their bytes, so that no caller
 * can change the value of another. Bytes are the minimum cost of copies that are as safe
 * as those of this library.
 */
final class CaffeineCache<V> implements CachePeer {

	private final Cache<String, V> cache = Caffeine.newBuilder()
		.maximumSize(10_000)
		.expireAfterWrite(Duration.ofMinutes(1))
		.build();

	private final Function<Product, V> write;

	private final Function<V, Product> read;

	CaffeineCache(Function<Product, V> write, Function<V, Product> read) {
		this.write = write;
		this.read = read;
	}

	static CaffeineCache<byte[]> ofBytes() {
		ProductCodec codec = ProductCodec.of(Product.class);
		return new CaffeineCache<>(codec::encode, codec::product);
	}

	@Override
	public Product get(String key, Supplier<Product> loader) {
		return this.read.apply(this.cache.get(key, (missing) -> this.write.apply(loader.get())));
	}

	@Override
	public void close() {
	}

}
