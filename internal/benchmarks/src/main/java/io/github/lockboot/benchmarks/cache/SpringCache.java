package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.cache.Cache;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheWriter;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.serializer.RedisSerializationContext.SerializationPair;
import org.springframework.data.redis.serializer.RedisSerializer;

import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * What {@code @Cacheable(sync = true)} calls on Spring Data Redis.
 */
final class SpringCache implements CachePeer {

	private static final Duration TTL = Duration.ofHours(1);

	private final LettuceConnectionFactory application;

	private final Cache cache;

	SpringCache(RedisAddress address, boolean locking) {
		this.application = address.connectionFactory();
		RedisCacheWriter writer = locking ? RedisCacheWriter.lockingRedisCacheWriter(this.application)
				: RedisCacheWriter.nonLockingRedisCacheWriter(this.application);
		RedisCacheManager manager = RedisCacheManager.builder(writer)
			.cacheDefaults(RedisCacheConfiguration.defaultCacheConfig()
				.entryTtl(TTL)
				.serializeValuesWith(SerializationPair.fromSerializer(new ProductSerializer())))
			.build();
		this.cache = Objects.requireNonNull(manager.getCache("product"));
	}

	@Override
	public Product get(String key, Supplier<Product> loader) {
		return Objects.requireNonNull(this.cache.get(key, loader::get));
	}

	@Override
	public void close() {
		this.application.destroy();
	}

	private static final class ProductSerializer implements RedisSerializer<Object> {

		private final ProductCodec codec = ProductCodec.of(Product.class);

		@Override
		public byte[] serialize(@Nullable Object value) {
			return this.codec.encode(Objects.requireNonNull(value));
		}

		@Override
		public @Nullable Object deserialize(byte @Nullable [] bytes) {
			return (bytes != null) ? this.codec.decode(bytes) : null;
		}

	}

}
