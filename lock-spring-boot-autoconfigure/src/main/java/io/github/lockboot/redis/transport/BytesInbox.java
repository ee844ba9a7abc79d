package io.github.lockboot.redis.transport;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * Channels by which Redis pushes bytes to this JVM, on one connection. A channel is open
 * while its subscription stands; all of them are subscribed to again after the connection
 * was lost. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class BytesInbox implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(BytesInbox.class);

	private final StatefulRedisPubSubConnection<String, byte[]> connection;

	private final Listener listener;

	private final Set<String> wanted = ConcurrentHashMap.newKeySet();

	private final Set<String> open = ConcurrentHashMap.newKeySet();

	private BytesInbox(StatefulRedisPubSubConnection<String, byte[]> connection, Listener listener) {
		this.connection = connection;
		this.listener = listener;
	}

	static BytesInbox open(StatefulRedisPubSubConnection<String, byte[]> connection, Listener listener) {
		BytesInbox inbox = new BytesInbox(connection, listener);
		connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String channel, byte[] message) {
				listener.message(channel, message);
			}

			@Override
			public void subscribed(String channel, long count) {
				inbox.open.add(channel);
				listener.opened(channel);
			}

		});
		connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				inbox.closeChannels();
			}

		});
		return inbox;
	}

	/**
	 * Subscribe to a channel, unless that was asked for already.
	 * @param channel name of the channel
	 */
	public void subscribe(String channel) {
		if (this.wanted.add(channel)) {
			this.connection.async().subscribe(channel).exceptionally((failure) -> {
				this.wanted.remove(channel);
				logger.debug("Redis does not let us subscribe to channel '" + channel + "': " + failure.getMessage());
				return null;
			});
		}
	}

	/**
	 * Whether a message would arrive.
	 * @param channel name of the channel
	 * @return true while its subscription stands
	 */
	public boolean isOpen(String channel) {
		return this.open.contains(channel);
	}

	private void closeChannels() {
		for (String channel : this.open) {
			this.open.remove(channel);
			this.listener.closed(channel);
		}
	}

	@Override
	public void close() {
		this.open.clear();
		this.connection.close();
	}

	/**
	 * Who is told what happens in an inbox. Must not block.
	 */
	public interface Listener {

		/**
		 * A message came.
		 * @param channel where
		 * @param message what
		 */
		void message(String channel, byte[] message);

		/**
		 * The subscription to a channel stands, for the first time or anew.
		 * @param channel name of the channel
		 */
		void opened(String channel);

		/**
		 * The subscription to a channel was lost: messages are missed from now on.
		 * @param channel name of the channel
		 */
		void closed(String channel);

	}

}
