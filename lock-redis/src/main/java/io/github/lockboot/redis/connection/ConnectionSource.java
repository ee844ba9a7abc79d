package io.github.lockboot.redis.connection;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * The part of the client library that a {@link RedisConnection} needs: the connections to
 * one server, and the thread and the time of these connections. A simulation replaces
 * only this part.
 */
interface ConnectionSource extends AutoCloseable {

	/** Return the users of the connections, in the plural. */
	String users();

	/** Return a display name of the server. */
	String address();

	/** Connect, and block meanwhile. */
	<V> StatefulRedisConnection<String, V> connect(RedisCodec<String, V> codec);

	/** Connect on another thread, because connecting blocks. */
	<V> CompletionStage<StatefulRedisConnection<String, V>> connectAsync(RedisCodec<String, V> codec);

	/** Connect for a subscription, and block meanwhile. */
	<V> StatefulRedisPubSubConnection<String, V> connectPubSub(RedisCodec<String, V> codec);

	/** Return the thread of all connections, of which there has to be one. */
	Executor connectionThread();

	/** Return the time of a clock that only moves forward. */
	long nanoTime();

	/** Run a task after a delay, unless the source is closed by then. */
	void schedule(Runnable task, long delayNanos);

	/**
	 * Watch for another server to become the master, as long as this source is open. A
	 * connection that is made after such a message leads to that server.
	 * @param onSwitch called for each message; must not block
	 */
	default void watchMaster(Runnable onSwitch) {
	}

	/**
	 * Listen to failed reconnections.
	 * @param listener called with the host and port, and with the failure; must not block
	 */
	default void onConnectionError(BiConsumer<String, Throwable> listener) {
	}

	@Override
	void close();

}
