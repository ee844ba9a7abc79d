package io.github.lockboot.redis.transport;

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
import org.jspecify.annotations.Nullable;

/**
 * A client whose connections have no {@code sync()} commands, only {@code null}. Nobody
 * here asks for them, and to make the proxies behind them would be half the work of the
 * first connections of an application.
 */
final class AsyncRedisClient extends RedisClient {

	/**
	 * Create a client, without connecting.
	 * @param resources its threads; not closed with it
	 * @param server where to connect
	 * @param options its options
	 */
	AsyncRedisClient(ClientResources resources, RedisURI server, ClientOptions options) {
		super(resources, server);
		setOptions(options);
	}

	@Override
	protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(RedisChannelWriter writer,
			PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
		return new StatefulRedisConnectionImpl<>(writer, pushes, codec, timeout) {

			@Override
			protected @Nullable RedisCommands<K, V> newRedisSyncCommandsImpl() {
				return null;
			}

		};
	}

	@Override
	protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
			PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
		return new StatefulRedisPubSubConnectionImpl<>(endpoint, writer, codec, timeout) {

			@Override
			protected @Nullable RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
				return null;
			}

		};
	}

}
