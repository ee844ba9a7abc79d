package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.Collection;

import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Connects to the Redis of an application.
 */
@Internal
public final class Connections {

	private Connections() {
	}

	/** Return what connects for locks. */
	public static LockConnector forLocks(ConnectionSettings application) {
		return (name, timeout, scripts) -> connect(application, name, "locks", new RedisConnection.ExactUtf8Codec(),
				timeout, scripts);
	}

	/**
	 * Connect for the cache, whose values are bytes, as for locks but with another
	 * connection, so that no large value delays a lock.
	 * @param applicationName prefix of the names of the connections, if any
	 * @param commandTimeout time limit for the handshake of a connection
	 */
	public static RedisConnection<byte[]> connectForCache(ConnectionSettings application,
			@Nullable String applicationName, Duration commandTimeout, Collection<LuaScript> scripts) {
		return connect(application, applicationName, "cache", RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE),
				commandTimeout, scripts);
	}

	private static <V> RedisConnection<V> connect(ConnectionSettings application, @Nullable String applicationName,
			String users, RedisCodec<String, V> codec, Duration commandTimeout, Collection<LuaScript> scripts) {
		PrivateClient client = PrivateClient.of(application, applicationName, users, commandTimeout);
		try {
			return (client.client() instanceof RedisClusterClient)
					? ClusterConnection.connect(client, codec, scripts, commandTimeout)
					: StandaloneConnection.connect(client, codec, scripts, commandTimeout);
		}
		catch (RuntimeException ex) {
			client.close();
			throw ex;
		}
	}

}
