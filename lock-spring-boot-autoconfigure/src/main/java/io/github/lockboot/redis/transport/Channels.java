package io.github.lockboot.redis.transport;

import io.github.lockboot.Internal;

/**
 * Channels by which Redis pushes to this JVM. One is open while its subscription stands;
 * all of them are subscribed to again after a connection was lost. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public interface Channels extends AutoCloseable {

	/**
	 * Subscribe to a channel. Does nothing if it is open, or asked for already.
	 * @param channel name of the channel
	 */
	void subscribe(String channel);

	/**
	 * Whether a message would arrive.
	 * @param channel name of the channel
	 * @return true while a subscription stands
	 */
	boolean isOpen(String channel);

	@Override
	void close();

}
