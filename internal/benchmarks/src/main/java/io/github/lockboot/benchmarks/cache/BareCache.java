package io.github.lockboot.benchmarks.cache;

import java.util.function.Supplier;

import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.benchmarks.peer.RedisAddress;

/**
 * The floor: one {@code GET} on one connection, and the codec. After a miss the caller
 * loads and sets.
 */
final class BareCache implements CachePeer {

	private static final long TTL_MILLIS = 3_600_000;

	private final RedisClient client;

	private final StatefulRedisConnection<String, byte[]> connection;

	private final ProductCodec codec = ProductCodec.of(Product.class);

	BareCache(RedisAddress address) {
		this.client = RedisClient.create(address.uri());
		this.connection = this.client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
	}

	@Override
	public Product get(String key, Supplier<Product> loader) {
		String name = "product::" + key;
		RedisFuture<byte @Nullable []> reply = this.connection.async().get(name);
		byte[] bytes = reply.toCompletableFuture().join();
		if (bytes != null) {
			return this.codec.product(bytes);
		}
		Product product = loader.get();
		this.connection.sync().psetex(name, TTL_MILLIS, this.codec.encode(product));
		return product;
	}

	@Override
	public void close() {
		this.connection.close();
		this.client.shutdown();
	}

}
