package io.github.lockboot.benchmarks.cache;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.BaseCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.client.protocol.Decoder;
import org.redisson.client.protocol.Encoder;
import org.redisson.codec.CompositeCodec;
import org.redisson.config.Config;
import org.redisson.spring.cache.CacheConfig;
import org.redisson.spring.cache.RedissonSpringCacheManager;
import org.springframework.cache.Cache;

import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * What {@code @Cacheable(sync = true)} calls on Redisson.
 */
final class RedissonCache implements CachePeer {

	private static final Duration TTL = Duration.ofHours(1);

	private final RedissonClient redisson;

	private final Cache cache;

	RedissonCache(RedisAddress address) {
		Config config = new Config();
		config.useSingleServer().setAddress(address.uri());
		this.redisson = Redisson.create(config);
		this.cache = Objects.requireNonNull(
				new RedissonSpringCacheManager(this.redisson, Map.of("product", new CacheConfig(TTL.toMillis(), 0)),
						new CompositeCodec(StringCodec.INSTANCE, new ValuesCodec()))
					.getCache("product"));
	}

	@Override
	public Product get(String key, Supplier<Product> loader) {
		return Objects.requireNonNull(this.cache.get(key, loader::get));
	}

	@Override
	public void close() {
		this.redisson.shutdown();
	}

	private static final class ValuesCodec extends BaseCodec {

		private final ProductCodec codec = ProductCodec.of(Product.class);

		@Override
		public Decoder<Object> getValueDecoder() {
			return (buffer, state) -> this.codec.decode(bytes(buffer));
		}

		@Override
		public Encoder getValueEncoder() {
			return (value) -> Unpooled.wrappedBuffer(this.codec.encode(value));
		}

		private static byte[] bytes(ByteBuf buffer) {
			byte[] bytes = ByteBufUtil.getBytes(buffer);
			buffer.skipBytes(bytes.length);
			return bytes;
		}

	}

}
