package io.github.lockboot.redis.connection;

import io.github.lockboot.Internal;

/**
 * Notified of what happens on a {@link Subscription}. Called on a thread of Netty; must
 * not block. In a cluster it may be told of the same twice.
 *
 * @param <V> type of a message
 * @since 1.0.0
 */
@Internal
public interface SubscriptionListener<V> {

	/**
	 * A message came.
	 */
	void message(String channel, V message);

	/**
	 * A channel is open, for the first time or anew.
	 */
	void opened(String channel);

	/**
	 * A channel is not open any more: messages may be missed from now on.
	 */
	default void closed(String channel) {
	}

	/**
	 * Redis refuses the subscription.
	 */
	default void refused(String channel, Throwable failure) {
	}

}
