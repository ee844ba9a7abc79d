package io.github.lockboot.redis.transport;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * An inbox at one server.
 */
final class SingleInbox implements Inbox {

	private static final Log logger = LogFactory.getLog(SingleInbox.class);

	private static final long RETRY_MILLIS = 250;

	private final StatefulRedisPubSubConnection<String, String> connection;

	private final String channel;

	private final Kind kind;

	private final AtomicBoolean warned = new AtomicBoolean();

	private volatile boolean open;

	private volatile boolean closed;

	private SingleInbox(StatefulRedisPubSubConnection<String, String> connection, String channel, Kind kind) {
		this.connection = connection;
		this.channel = channel;
		this.kind = kind;
	}

	/**
	 * How a channel is subscribed to.
	 */
	enum Kind {

		/** What is published on any node arrives. */
		CLASSIC,
		/**
		 * What is published on the node that serves the channel's slot; Redis 7 and
		 * later.
		 */
		SHARDED

	}

	/**
	 * Connect and subscribe. If Redis refuses, the inbox stays closed.
	 * @param client the client to connect with
	 * @param channel name of the channel
	 * @param onMessage told each message, on the thread that read it
	 * @param onOpen told each time that the subscription stands anew
	 * @return the inbox
	 */
	static SingleInbox subscribe(RedisClient client, String channel, Consumer<String> onMessage, Runnable onOpen) {
		SingleInbox inbox = listen(client.connectPubSub(StringCodec.UTF8), channel, Kind.CLASSIC, onMessage, onOpen);
		inbox.subscribeUntilAnswered(client.getResources().eventExecutorGroup());
		return inbox;
	}

	/**
	 * The connection may break before Redis has answered for the first time; only later
	 * does Lettuce subscribe again by itself.
	 * @param executor runs the next try
	 */
	void subscribeUntilAnswered(ScheduledExecutorService executor) {
		subscribe().whenComplete((done, failure) -> {
			if (failure instanceof RedisCommandExecutionException) {
				warnOnce(failure);
			}
			else if (failure != null && !this.closed && !executor.isShutdown()) {
				executor.schedule(() -> subscribeUntilAnswered(executor), RETRY_MILLIS, TimeUnit.MILLISECONDS);
			}
		});
	}

	/**
	 * Listen on a connection, without subscribing yet.
	 * @param connection the connection, closed with the inbox
	 * @param channel name of the channel
	 * @param kind how to subscribe to it
	 * @param onMessage told each message, on the thread that read it
	 * @param onOpen told each time that the subscription stands anew
	 * @return the inbox
	 */
	static SingleInbox listen(StatefulRedisPubSubConnection<String, String> connection, String channel, Kind kind,
			Consumer<String> onMessage, Runnable onOpen) {
		SingleInbox inbox = new SingleInbox(connection, channel, kind);
		connection.addListener(inbox.new Listener(onMessage, onOpen));
		connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				inbox.open = false;
			}

		});
		return inbox;
	}

	private void warnOnce(Throwable failure) {
		if (this.warned.compareAndSet(false, true)) {
			warnOfRefusal(this.channel, failure);
		}
	}

	static void warnOfRefusal(String channel, Throwable failure) {
		logger.warn("Redis does not let the locks subscribe to channel '" + channel
				+ "'; waiters poll for their locks instead of being woken: " + failure.getMessage());
	}

	/**
	 * Subscribe, or subscribe again, which changes nothing.
	 * @return completed when Redis has agreed or refused
	 */
	RedisFuture<Void> subscribe() {
		return (this.kind == Kind.SHARDED) ? this.connection.async().ssubscribe(this.channel)
				: this.connection.async().subscribe(this.channel);
	}

	String channel() {
		return this.channel;
	}

	@Override
	public boolean isOpen() {
		return this.open;
	}

	@Override
	public boolean isOpen(String key) {
		return this.open;
	}

	@Override
	public void probe() {
		if (this.connection.isOpen()) {
			subscribe().whenComplete((done, failure) -> {
				if (failure instanceof RedisCommandExecutionException) {
					warnOnce(failure);
				}
			});
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.open = false;
		this.connection.closeAsync();
	}

	/** What is said on the connection. */
	private final class Listener extends RedisPubSubAdapter<String, String> {

		private final Consumer<String> onMessage;

		private final Runnable onOpen;

		Listener(Consumer<String> onMessage, Runnable onOpen) {
			this.onMessage = onMessage;
			this.onOpen = onOpen;
		}

		@Override
		public void message(String from, String message) {
			this.onMessage.accept(message);
		}

		@Override
		public void smessage(String from, String message) {
			this.onMessage.accept(message);
		}

		@Override
		public void subscribed(String to, long count) {
			opened();
		}

		@Override
		public void ssubscribed(String to, long count) {
			opened();
		}

		/** Redis ends a subscription when the slot of its channel moves away. */
		@Override
		public void sunsubscribed(String from, long count) {
			SingleInbox.this.open = false;
		}

		private void opened() {
			if (!SingleInbox.this.open) {
				SingleInbox.this.open = true;
				this.onOpen.run();
			}
		}

	}

}
