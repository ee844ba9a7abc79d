package io.github.lockboot.cache.protocol;

import io.github.lockboot.redis.connection.RedisConnection;
import io.github.lockboot.redis.connection.Subscription;

/**
 * The connections to Redis, once they are made.
 *
 * @param transport for commands
 * @param channels for pushes
 */
record Connections(RedisConnection<byte[]> transport, Subscription channels) implements AutoCloseable {

	@Override
	public void close() {
		this.channels.close();
		this.transport.close();
	}

}
