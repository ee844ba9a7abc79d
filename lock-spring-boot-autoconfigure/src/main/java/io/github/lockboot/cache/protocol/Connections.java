package io.github.lockboot.cache.protocol;

import io.github.lockboot.redis.transport.BytesTransport;
import io.github.lockboot.redis.transport.Channels;

/**
 * The connections to Redis, once they are made.
 *
 * @param transport for commands
 * @param channels for pushes
 */
record Connections(BytesTransport transport, Channels channels) implements AutoCloseable {

	@Override
	public void close() {
		this.channels.close();
		this.transport.close();
	}

}
