package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import com.alicp.jetcache.Cache;
import com.alicp.jetcache.CacheValueHolder;
import com.alicp.jetcache.redis.lettuce.RedisLettuceCacheBuilder;
import io.lettuce.core.RedisClient;

import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * What {@code @Cached} with {@code @CachePenetrationProtect} calls on JetCache. Its
 * values are in a holder.
 */
final class ProtectedJetCache implements CachePeer {

	private static final Duration TTL = Duration.ofHours(1);

	private final RedisClient client;

	private final Cache<String, Product> cache;

	ProtectedJetCache(RedisAddress address) {
		this.client = RedisClient.create(address.uri());
		ProductCodec codec = ProductCodec.of(Held.class);
		this.cache = RedisLettuceCacheBuilder.createRedisLettuceCacheBuilder()
			.redisClient(this.client)
			.keyPrefix("product:")
			.valueEncoder((holder) -> codec.encode(Held.of((CacheValueHolder<?>) holder)))
			.valueDecoder((bytes) -> ((Held) codec.decode(bytes)).holder())
			.expireAfterWrite(TTL.toMillis(), TimeUnit.MILLISECONDS)
			.cachePenetrateProtect(true)
			.buildCache();
	}

	@Override
	public Product get(String key, Supplier<Product> loader) {
		return this.cache.computeIfAbsent(key, (missing) -> loader.get());
	}

	@Override
	public void close() {
		this.cache.close();
		this.client.shutdown();
	}

	/**
	 * A holder in the written form.
	 *
	 * @param expireTime when the value expires
	 * @param accessTime when the value was written
	 */
	private record Held(Product value, long expireTime, long accessTime) {

		static Held of(CacheValueHolder<?> holder) {
			return new Held((Product) holder.getValue(), holder.getExpireTime(), holder.getAccessTime());
		}

		CacheValueHolder<Product> holder() {
			CacheValueHolder<Product> holder = new CacheValueHolder<>();
			holder.setValue(this.value);
			holder.setExpireTime(this.expireTime);
			holder.setAccessTime(this.accessTime);
			return holder;
		}

	}

}
