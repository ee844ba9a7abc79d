package io.github.lockboot.redis.connection;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;

import io.lettuce.core.RedisBusyException;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.RedisLoadingException;
import io.lettuce.core.pubsub.RedisPubSubAdapter;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

/**
 * A subscription at one server, all on one connection.
 */
final class NodeSubscription<V> implements Subscription {

	private static final long RETRY_MILLIS = 250;

	private final Listener<V> listener;

	private final boolean sharded;

	private final BiConsumer<String, Throwable> onRefused;

	private final Function<String, CompletionStage<Long>> countSubscribers;

	private final Set<String> channels = ConcurrentHashMap.newKeySet();

	/** Channels of the subscriptions in progress. */
	private final Set<String> subscribing = ConcurrentHashMap.newKeySet();

	private final Set<String> open = ConcurrentHashMap.newKeySet();

	private volatile @Nullable StatefulRedisPubSubConnection<String, V> connection;

	private volatile boolean closed;

	/**
	 * Create a subscription without a channel.
	 * @param sharded whether to subscribe to sharded channels, which only the server of
	 * their slot serves, or to classic channels, which reach all servers of a cluster
	 * @param countSubscribers publishes an empty message at the master, and returns the
	 * number of subscriptions that the message reached
	 */
	NodeSubscription(Listener<V> listener, boolean sharded, BiConsumer<String, Throwable> onRefused,
			Function<String, CompletionStage<Long>> countSubscribers) {
		this.listener = listener;
		this.sharded = sharded;
		this.onRefused = onRefused;
		this.countSubscribers = countSubscribers;
	}

	/** Subscribe on a connection, which is closed together with this subscription. */
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
		this.channels.forEach(this::subscribe);
	}

	@Override
	public void add(String channel) {
		if (this.channels.add(channel) || !isOpen(channel)) {
			subscribe(channel);
		}
	}

	/**
	 * Subscribe to a channel, again if the connection breaks before the first reply.
	 * After that reply, Lettuce subscribes again by itself.
	 */
	private void subscribe(String channel) {
		StatefulRedisPubSubConnection<String, V> connected = this.connection;
		if (connected == null || this.closed || !this.subscribing.add(channel)) {
			return;
		}
		RedisFuture<Void> reply = this.sharded ? connected.async().ssubscribe(channel)
				: connected.async().subscribe(channel);
		reply.whenComplete((done, failure) -> {
			this.subscribing.remove(channel);
			ScheduledExecutorService executor = connected.getResources().eventExecutorGroup();
			if (failure instanceof RedisCommandExecutionException && !(failure instanceof RedisBusyException)
					&& !(failure instanceof RedisLoadingException)) {
				this.onRefused.accept(channel, failure);
			}
			else if (failure != null && !this.closed && !executor.isShutdown()) {
				executor.schedule(() -> subscribe(channel), RETRY_MILLIS, TimeUnit.MILLISECONDS);
			}
		});
	}

	@Override
	public boolean isOpen(String channel) {
		return this.open.contains(channel);
	}

	@Override
	public boolean isOpenFor(String key) {
		return !this.open.isEmpty();
	}

	/**
	 * Subscribe again at another server if no message reaches an open channel. Lettuce
	 * looks up the master at each reconnection.
	 */
	@Override
	public void probe(String channel) {
		StatefulRedisPubSubConnection<String, V> connected = this.connection;
		if (connected == null || !connected.isOpen()) {
			return;
		}
		this.channels.forEach(this::subscribe);
		if (isOpen(channel)) {
			this.countSubscribers.apply(channel).thenAccept((count) -> {
				if (count == 0 && isOpen(channel) && !this.closed) {
					connected.async().quit();
				}
			});
		}
	}

	/** Notify the listener that all channels are closed. */
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

		/**
		 * Called when Redis ends a subscription because the slot of its channel has moved
		 * away.
		 */
		@Override
		public void sunsubscribed(String channel, long count) {
			channelClosed(channel);
		}

	}

}
