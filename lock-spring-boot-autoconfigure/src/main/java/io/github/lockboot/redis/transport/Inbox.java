package io.github.lockboot.redis.transport;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.Internal;

/**
 * The channel by which Redis pushes to this JVM. It is open while its subscription
 * stands; it subscribes again by itself when its connection was lost. Where Redis refuses
 * the subscription, {@link #probe} asks again.
 *
 * @since 1.0.0
 */
@Internal
public final class Inbox implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Inbox.class);

	private final StatefulRedisPubSubConnection<String, String> connection;

	private final String channel;

	private final AtomicBoolean warned = new AtomicBoolean();

	private volatile boolean open;

	private Inbox(StatefulRedisPubSubConnection<String, String> connection, String channel) {
		this.connection = connection;
		this.channel = channel;
	}

	/**
	 * Connect and subscribe. If Redis refuses, the inbox stays closed.
	 * @param client the client to connect with
	 * @param channel name of the channel
	 * @param onMessage told each message, on the thread that read it
	 * @param onOpen told each time that the subscription stands anew
	 * @return the inbox
	 */
	static Inbox subscribe(RedisClient client, String channel, Consumer<String> onMessage, Runnable onOpen) {
		StatefulRedisPubSubConnection<String, String> connection = client.connectPubSub(StringCodec.UTF8);
		Inbox inbox = new Inbox(connection, channel);
		connection.addListener(new RedisPubSubAdapter<>() {

			@Override
			public void message(String from, String message) {
				onMessage.accept(message);
			}

			@Override
			public void subscribed(String to, long count) {
				if (!inbox.open) {
					inbox.open = true;
					onOpen.run();
				}
			}

		});
		connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				inbox.open = false;
			}

		});
		inbox.subscribe();
		return inbox;
	}

	private void subscribe() {
		this.connection.async().subscribe(this.channel).exceptionally((failure) -> {
			if (failure instanceof RedisCommandExecutionException && this.warned.compareAndSet(false, true)) {
				logger.warn("Redis does not let the locks subscribe to channel '" + this.channel
						+ "'; waiters poll for their locks instead of being woken: " + failure.getMessage());
			}
			return null;
		});
	}

	/**
	 * Whether a message would arrive.
	 * @return true while the subscription stands
	 */
	public boolean isOpen() {
		return this.open;
	}

	/**
	 * Subscribe again. That opens an inbox which Redis has refused before and would not
	 * refuse now, and finds a dead connection: it is closed and made anew if nothing
	 * comes. It changes nothing else.
	 */
	public void probe() {
		if (this.connection.isOpen()) {
			subscribe();
		}
	}

	@Override
	public void close() {
		this.open = false;
		this.connection.close();
	}

}
