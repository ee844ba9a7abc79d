package io.github.lockboot.redis.transport;

import java.lang.reflect.Field;
import java.time.Duration;

import io.lettuce.core.RedisChannelWriter;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisReactiveCommandsImpl;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StatefulRedisConnectionImpl;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.protocol.PushHandler;
import io.lettuce.core.pubsub.PubSubEndpoint;
import io.lettuce.core.pubsub.RedisPubSubReactiveCommandsImpl;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnectionImpl;
import io.lettuce.core.pubsub.api.sync.RedisPubSubCommands;
import io.lettuce.core.resource.ClientResources;
import org.springframework.util.ReflectionUtils;

/**
 * A client whose connections have asynchronous commands only. Lettuce makes the blocking
 * and the reactive ones with every connection: proxies and tables of some thousand
 * methods, which take more time at the start of an application than all the rest of a
 * connection, and which nothing here uses.
 */
final class AsyncRedisClient extends RedisClient {

	private AsyncRedisClient(ClientResources resources, RedisURI server) {
		super(resources, server);
	}

	/**
	 * Create a client that knows no server.
	 * @param resources its threads
	 * @return the client
	 */
	static RedisClient withoutServer(ClientResources resources) {
		return new AsyncRedisClient(resources, new RedisURI());
	}

	/**
	 * Create a client for the same server.
	 * @param client a client that has no connection yet
	 * @return the new client; or the same one, if it does not tell its server
	 */
	static RedisClient insteadOf(RedisClient client) {
		Field field = ReflectionUtils.findField(RedisClient.class, "redisURI", RedisURI.class);
		if (field == null) {
			return client;
		}
		ReflectionUtils.makeAccessible(field);
		if (!(ReflectionUtils.getField(field, client) instanceof RedisURI server)) {
			return client;
		}
		AsyncRedisClient replacement = new AsyncRedisClient(client.getResources(), server);
		replacement.setOptions(client.getOptions());
		return replacement;
	}

	@Override
	protected <K, V> StatefulRedisConnectionImpl<K, V> newStatefulRedisConnection(RedisChannelWriter writer,
			PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
		return new AsyncConnection<>(writer, pushes, codec, timeout);
	}

	@Override
	protected <K, V> StatefulRedisPubSubConnectionImpl<K, V> newStatefulRedisPubSubConnection(
			PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec, Duration timeout) {
		return new AsyncPubSubConnection<>(endpoint, writer, codec, timeout);
	}

	@SuppressWarnings("NullAway") // none are made
	private static final class AsyncConnection<K, V> extends StatefulRedisConnectionImpl<K, V> {

		AsyncConnection(RedisChannelWriter writer, PushHandler pushes, RedisCodec<K, V> codec, Duration timeout) {
			super(writer, pushes, codec, timeout);
		}

		@Override
		protected RedisCommands<K, V> newRedisSyncCommandsImpl() {
			return null;
		}

		@Override
		protected RedisReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
			return null;
		}

	}

	@SuppressWarnings("NullAway") // none are made
	private static final class AsyncPubSubConnection<K, V> extends StatefulRedisPubSubConnectionImpl<K, V> {

		AsyncPubSubConnection(PubSubEndpoint<K, V> endpoint, RedisChannelWriter writer, RedisCodec<K, V> codec,
				Duration timeout) {
			super(endpoint, writer, codec, timeout);
		}

		@Override
		protected RedisPubSubCommands<K, V> newRedisSyncCommandsImpl() {
			return null;
		}

		@Override
		protected RedisPubSubReactiveCommandsImpl<K, V> newRedisReactiveCommandsImpl() {
			return null;
		}

	}

}
