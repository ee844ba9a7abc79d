package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.codec.ValueCodec;
import io.github.lockboot.cache.redis.CacheThreads;
import io.github.lockboot.cache.redis.RedisCacheSettings;
import io.github.lockboot.cache.redis.RedisCacheTemplate;
import io.github.lockboot.cache.transaction.SpringTransactions;

/**
 * The cache of this library, which checks the caller's transaction and has a listener
 * that counts as the metrics do.
 */
final class OurCache implements CachePeer {

	private static final CacheSpec<Product> PRODUCTS = CacheSpec.of("product", Product.class);

	/** The time limit for many JVMs that start at once on few processors. */
	private static final Duration STARTING_JVMS = Duration.ofSeconds(10);

	private final RedisCacheTemplate cache;

	OurCache(RedisAddress address, UnaryOperator<CacheSettings> changes) {
		RedisCacheSettings defaults = RedisCacheSettings.defaults();
		RedisCacheSettings settings = new RedisCacheSettings(defaults.keyPrefix(), STARTING_JVMS,
				defaults.snapshotWindow());
		this.cache = new RedisCacheTemplate(address.settings(), settings,
				(name) -> changes.apply(CacheSettings.defaults().withTtl(Duration.ofHours(1))), ValueCodec.json(),
				new SpringTransactions(), List.of(new CountingListener()), CacheThreads.defaults());
	}

	@Override
	public Product get(String key, Supplier<Product> loader) {
		return this.cache.get(PRODUCTS, key, loader::get);
	}

	@Override
	public void close() {
		this.cache.close();
	}

}
