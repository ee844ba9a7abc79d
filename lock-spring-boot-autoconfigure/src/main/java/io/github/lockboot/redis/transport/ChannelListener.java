package io.github.lockboot.redis.transport;

import io.github.lockboot.Internal;

/**
 * Who is told what happens on {@link Channels}. Called on a thread of Netty; must not
 * block. In a cluster it may be told of the same twice.
 *
 * @param <V> type of a message
 * @since 1.0.0
 */
@Internal
public interface ChannelListener<V> {

	/**
	 * A message came.
	 * @param channel where
	 * @param message what
	 */
	void message(String channel, V message);

	/**
	 * A subscription stands, for the first time or anew.
	 * @param channel name of the channel
	 */
	void opened(String channel);

	/**
	 * A subscription was lost: messages may be missed from now on.
	 * @param channel name of the channel
	 */
	default void closed(String channel) {
	}

	/**
	 * Redis does not let us subscribe.
	 * @param channel name of the channel
	 * @param failure its answer
	 */
	default void refused(String channel, Throwable failure) {
	}

}
