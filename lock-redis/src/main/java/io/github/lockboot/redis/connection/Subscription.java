package io.github.lockboot.redis.connection;

import io.github.lockboot.Internal;

/**
 * Channels by which Redis pushes to this JVM. A channel is open while Redis has confirmed
 * the subscription. All channels are restored after a lost connection. Implementations
 * are thread-safe.
 */
@Internal
public interface Subscription extends AutoCloseable {

	/** Subscribe to a channel, unless it is open or about to open. */
	void add(String channel);

	/** Return whether a message on a channel would arrive. */
	boolean isOpen(String channel);

	/** Return whether a message that a script publishes about a key would arrive. */
	boolean isOpenFor(String key);

	/**
	 * Subscribe again to all channels. This method retries channels that Redis has
	 * refused, and replaces a connection that is dead or leads to a former master.
	 * @param channel a channel of this JVM only, which may receive an empty message
	 */
	void probe(String channel);

	@Override
	void close();

	/**
	 * Receives the events of a subscription, on a Netty thread that the listener must not
	 * block. In a cluster an event may be reported twice.
	 */
	interface Listener<V> {

		/** Called for a message. A probe is an empty message. */
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

}
