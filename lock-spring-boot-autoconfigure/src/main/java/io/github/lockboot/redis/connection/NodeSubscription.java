package io.github.lockboot.redis.connection;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

/**
 * A subscription at one server, all on one connection.
 *
 * @param <V> type of a message
 */
final class NodeSubscription<V> implements Subscription {

	private static final long RETRY_MILLIS = 250;

	private final SubscriptionListener<V> listener;

	private final boolean sharded;

	private final Function<String, CompletionStage<Long>> countSubscribers;

	private final Set<String> wanted = ConcurrentHashMap.newKeySet();

	private final Set<String> asked = ConcurrentHashMap.newKeySet();

	private final Set<String> open = ConcurrentHashMap.newKeySet();

	private volatile @Nullable StatefulRedisPubSubConnection<String, V> connection;

	private volatile boolean closed;

	/**
	 * Creates a subscription without a channel.
	 * @param sharded whether to subscribe to sharded channels, which only the server of
	 * their slot serves; else to classic ones, which reach all servers of a cluster
	 * @param countSubscribers publishes an empty message where messages come from, and
	 * returns how many subscriptions it reached
	 */
	NodeSubscription(SubscriptionListener<V> listener, boolean sharded,
			Function<String, CompletionStage<Long>> countSubscribers) {
		this.listener = listener;
		this.sharded = sharded;
		this.countSubscribers = countSubscribers;
	}

	/** Subscribes on a connection, which is closed with this. */
	void connected(StatefulRedisPubSubConnection<String, V> connected) {
		connected.addListener(new MessageListener());
		connected.addListener(new RedisConnectionStateListener() {

			@Override
			public void onRedisDisconnected(RedisChannelHandler<?, ?> disconnected) {
				closeChannels();
			}

		});
		this.connection = connected;
		if (this.closed) {
			connected.closeAsync();
		}
		this.wanted.forEach(this::ask);
	}

	@Override
	public void add(String channel) {
		if (this.wanted.add(channel) || !isOpen(channel)) {
			ask(channel);
		}
	}

	void addAll(Set<String> channels) {
		channels.forEach(this::add);
	}

	/**
	 * The connection may break before Redis has answered for the first time; only later
	 * does Lettuce subscribe again by itself.
	 */
	private void ask(String channel) {
		StatefulRedisPubSubConnection<String, V> connected = this.connection;
		if (connected == null || this.closed || !this.asked.add(channel)) {
			return;
		}
		send(connected, channel).whenComplete((done, failure) -> {
			this.asked.remove(channel);
			ScheduledExecutorService executor = connected.getResources().eventExecutorGroup();
			if (failure instanceof RedisCommandExecutionException) {
				this.listener.refused(channel, failure);
			}
			else if (failure != null && !this.closed && !executor.isShutdown()) {
				executor.schedule(() -> ask(channel), RETRY_MILLIS, TimeUnit.MILLISECONDS);
			}
		});
	}

	private RedisFuture<Void> send(StatefulRedisPubSubConnection<String, V> connected, String channel) {
		return this.sharded ? connected.async().ssubscribe(channel) : connected.async().subscribe(channel);
	}

	@Override
	public boolean isOpen(String channel) {
		return this.open.contains(channel);
	}

	@Override
	public boolean isOpenFor(String key) {
		return isAnyOpen();
	}

	boolean isAnyOpen() {
		return !this.open.isEmpty();
	}

	/**
	 * An open channel that nothing reaches is at the wrong server. At each reconnection
	 * Lettuce asks anew where the master is.
	 */
	@Override
	public void probe() {
		StatefulRedisPubSubConnection<String, V> connected = this.connection;
		if (connected == null || !connected.isOpen()) {
			return;
		}
		this.wanted.forEach(this::ask);
		this.open.forEach((channel) -> this.countSubscribers.apply(channel).thenAccept((count) -> {
			if (count == 0 && isOpen(channel) && !this.closed) {
				connected.async().quit();
			}
		}));
	}

	/** Notifies the listener that all channels are closed. */
	void closeChannels() {
		this.open.forEach(this::channelClosed);
	}

	private void channelClosed(String channel) {
		if (this.open.remove(channel)) {
			this.listener.closed(channel);
		}
	}

	@Override
	public void close() {
		this.closed = true;
		this.open.clear();
		StatefulRedisPubSubConnection<String, V> connected = this.connection;
		if (connected != null) {
			connected.closeAsync();
		}
	}

	private final class MessageListener extends RedisPubSubAdapter<String, V> {

		@Override
		public void message(String channel, V message) {
			NodeSubscription.this.listener.message(channel, message);
		}

		@Override
		public void smessage(String channel, V message) {
			message(channel, message);
		}

		@Override
		public void subscribed(String channel, long count) {
			if (NodeSubscription.this.open.add(channel)) {
				NodeSubscription.this.listener.opened(channel);
			}
		}

		@Override
		public void ssubscribed(String channel, long count) {
			subscribed(channel, count);
		}

		/** Redis ends a subscription when the slot of its channel moves away. */
		@Override
		public void sunsubscribed(String channel, long count) {
			channelClosed(channel);
		}

	}

}
