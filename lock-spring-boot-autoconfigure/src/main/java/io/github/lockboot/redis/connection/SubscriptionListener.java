package io.github.lockboot.redis.connection;

import io.github.lockboot.Internal;

/**
 * Listener of a {@link Subscription}. Called on a thread of Netty; must not block. In a
 * cluster it may be notified twice of the same event.
 *
 * @param <V> type of a message
 * @since 1.0.0
 */
@Internal
public interface SubscriptionListener<V> {

	/** Called for each message. */
	void message(String channel, V message);

	/** Called when a channel has opened or reopened. */
	void opened(String channel);

	/** Called when a channel has closed: messages may be missed from now on. */
	default void closed(String channel) {
	}

	/** Called when Redis refuses the subscription. */
	default void refused(String channel, Throwable failure) {
	}

}
