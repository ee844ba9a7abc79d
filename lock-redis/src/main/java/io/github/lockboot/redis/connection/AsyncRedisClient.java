package io.github.lockboot.redis.connection;

import java.time.Duration;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;

/**
 * A client whose connections have blocking commands only on demand. For these, Lettuce
 * examines several hundred methods with the first connection of each kind, which takes a
 * JVM that has just started longer than everything else about a connection.
 */
@SuppressWarnings("NullAway") // Lettuce has no nullness
final class AsyncRedisClient extends RedisClient {

	AsyncRedisClient(ClientResources resources, RedisURI uri, ClientOptions options) {
		super(resources, uri);
		setOptions(options);
	}

	@Override
	protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(RedisChannelWriter writer,
			PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
		return new Connection<>(writer, pushes, codec, timeout);
	}

	@Override
	protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
			PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
		return new PubSubConnection<>(endpoint, writer, codec, timeout);
	}

	private static final class Connection<K, V> extends StatefulRedisConnectionImpl<K, V> {

		Connection(RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
			super(writer, pushes, codec, timeout);
		}

		@Override
		protected RedisCommands<K, V> newRedisSyncCommandsImpl() {
			return null;
		}

		@Override
		public RedisCommands<K, V> sync() {
			return super.newRedisSyncCommandsImpl();
		}

	}

	private static final class PubSubConnection<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {

		PubSubConnection(PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec,
				Duration timeout) {
			super(endpoint, writer, codec, timeout);
		}

		@Override
		protected RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
			return null;
		}

		@Override
		public RedisPubSubCommands<K, V> sync() {
			return super.newRedisSyncCommandsImpl();
		}

	}

}
