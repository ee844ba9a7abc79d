package io.github.lockboot.redis.connection;

import io.github.lockboot.Internal;

/**
 * Channels by which Redis pushes to this JVM. A channel is open while its subscription
 * stands; after a connection was lost all are subscribed to again. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public interface Subscription extends AutoCloseable {

	/**
	 * Subscribe to a channel. Does nothing if it is open, or asked for already.
	 */
	void add(String channel);

	/**
	 * Whether a message would arrive.
	 */
	boolean isOpen(String channel);

	/**
	 * Whether a message would arrive that is published where a key lies.
	 */
	boolean isOpenFor(String key);

	/**
	 * Subscribe again to all channels. That opens one that Redis has refused before and
	 * would not refuse now, and replaces a connection that is dead or leads to a server
	 * that is not the master any more.
	 */
	void probe();

	@Override
	void close();

}
