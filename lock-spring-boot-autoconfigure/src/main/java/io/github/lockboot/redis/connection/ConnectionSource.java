package io.github.lockboot.redis.connection;

import java.util.concurrent.Executor;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * What a {@link RedisConnection} needs of the client library: the connections to one
 * server, their thread and its time. All above it is the same in a simulation.
 */
interface ConnectionSource extends AutoCloseable {

	/** Returns what uses the connections, in plural. */
	String users();

	/** Returns a display name of the server. */
	String address();

	/** Connects, and blocks meanwhile. */
	<V> StatefulRedisConnection<String, V> connect(RedisCodec<String, V> codec);

	/** Connects for a subscription, and blocks meanwhile. */
	<V> StatefulRedisPubSubConnection<String, V> connectPubSub(RedisCodec<String, V> codec);

	/** Returns the thread of all connections; there has to be one. */
	Executor connectionThread();

	/** Returns the time of a clock that only moves forward. */
	long nanoTime();

	/** Runs a task after a delay, unless this is closed by then. */
	void schedule(Runnable task, long delayNanos);

	@Override
	void close();

}
