package io.github.lockboot.redis.transport;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/**
 * Subscriptions at one server, all on one connection.
 *
 * @param <V> type of a message
 */
final class Subscriber<V> implements Subscriptions {

	private static final long RETRY_MILLIS = 250;

	private final StatefulRedisPubSubConnection<String, V> connection;

	private final Kind kind;

	private final ScheduledExecutorService executor;

	private final ChannelListener<V> listener;

	private final Audience audience;

	private final Set<String> wanted = ConcurrentHashMap.newKeySet();

	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	private final Set<String> open = ConcurrentHashMap.newKeySet();

	private volatile boolean closed;

	private Subscriber(StatefulRedisPubSubConnection<String, V> connection, Kind kind, ChannelListener<V> listener,
			Audience audience) {
		this.connection = connection;
		this.kind = kind;
		this.executor = connection.getResources().eventExecutorGroup();
		this.listener = listener;
		this.audience = audience;
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
	 * Who counts those that messages reach.
	 */
	interface Audience {

		/** Where subscriptions can't be counted, but servers are known by their names. */
		Audience UNCOUNTED = (channel) -> CompletableFuture.completedStage(1L);

		/**
		 * Publish something of no meaning where messages come from.
		 * @param channel the channel
		 * @return how many subscriptions it reaches at that server
		 */
		CompletionStage<Long> count(String channel);

	}

	/**
	 * Listen on a connection, without subscribing yet.
	 * @param connection the connection, closed with the subscriber
	 * @param kind how to subscribe
	 * @param listener told what happens, on the thread that read it
	 * @param audience tells if the connection leads to the wrong server
	 * @return the subscriber
	 */
	static <V> Subscriber<V> on(StatefulRedisPubSubConnection<String, V> connection, Kind kind,
			ChannelListener<V> listener, Audience audience) {
		Subscriber<V> subscriber = new Subscriber<>(connection, kind, listener, audience);
		connection.addListener(subscriber.new Ear());
		connection.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				subscriber.closeAll();
			}

		});
		return subscriber;
	}

	@Override
	public void subscribe(String channel) {
		if (this.wanted.add(channel) || !isOpen(channel)) {
			ask(channel);
		}
	}

	/**
	 * The connection may break before Redis has answered for the first time; only later
	 * does Lettuce subscribe again by itself.
	 */
	private void ask(String channel) {
		if (!this.asked.add(channel)) {
			return;
		}
		send(channel).whenComplete((done, failure) -> {
			this.asked.remove(channel);
			if (failure instanceof RedisCommandExecutionException) {
				this.listener.refused(channel, failure);
			}
			else if (failure != null && !this.closed && !this.executor.isShutdown()) {
				this.executor.schedule(() -> ask(channel), RETRY_MILLIS, TimeUnit.MILLISECONDS);
			}
		});
	}

	private RedisFuture<Void> send(String channel) {
		return (this.kind == Kind.SHARDED) ? this.connection.async().ssubscribe(channel)
				: this.connection.async().subscribe(channel);
	}

	@Override
	public boolean isOpen(String channel) {
		return this.open.contains(channel);
	}

	@Override
	public boolean isAnyOpen() {
		return !this.open.isEmpty();
	}

	@Override
	public boolean isOpenAt(String key) {
		return isAnyOpen();
	}

	@Override
	public void probe() {
		if (this.connection.isOpen()) {
			this.wanted.forEach(this::ask);
			this.open.forEach(this::moveUnlessHeard);
		}
	}

	/**
	 * One that is open and reached by nothing is at the wrong server. At each
	 * reconnection Lettuce asks anew where the master is.
	 */
	private void moveUnlessHeard(String channel) {
		this.audience.count(channel).thenAccept((count) -> {
			if (count == 0 && isOpen(channel) && !this.closed) {
				this.connection.async().quit();
			}
		});
	}

	/** Say of all channels that nothing comes any more. */
	void closeAll() {
		for (String channel : this.open) {
			closed(channel);
		}
	}

	private void closed(String channel) {
		if (this.open.remove(channel)) {
			this.listener.closed(channel);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.open.clear();
		this.connection.closeAsync();
	}

	/** Hears what is said on the connection. */
	private final class Ear extends RedisPubSubAdapter<String, V> {

		@Override
		public void message(String channel, V message) {
			Subscriber.this.listener.message(channel, message);
		}

		@Override
		public void smessage(String channel, V message) {
			message(channel, message);
		}

		@Override
		public void subscribed(String channel, long count) {
			if (Subscriber.this.open.add(channel)) {
				Subscriber.this.listener.opened(channel);
			}
		}

		@Override
		public void ssubscribed(String channel, long count) {
			subscribed(channel, count);
		}

		/** Redis ends a subscription when the slot of its channel moves away. */
		@Override
		public void sunsubscribed(String channel, long count) {
			closed(channel);
		}

	}

}
