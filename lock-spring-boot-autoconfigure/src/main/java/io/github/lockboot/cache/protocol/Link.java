package io.github.lockboot.cache.protocol;

import io.github.lockboot.redis.transport.BytesInbox;
import io.github.lockboot.redis.transport.BytesTransport;

/**
 * The connections to Redis, once they are made.
 *
 * @param transport for commands
 * @param inbox for pushes
 */
record Link(BytesTransport transport, BytesInbox inbox) implements AutoCloseable {

	@Override
	public void close() {
		this.inbox.close();
		this.transport.close();
	}

}
