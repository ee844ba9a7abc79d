package io.github.lockboot.redis.transport;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.StringCodec;
import org.jspecify.annotations.Nullable;

/**
 * An inbox in a cluster: subscriptions at several masters, which follow their roles and
 * slots. Sharded channels have one at each master, so that a master that stands still
 * silences only the locks it has itself.
 */
final class ClusterInbox implements Inbox {

	private final RedisClient client;

	private final ClusterMap map;

	private final ClusterChannels channels;

	private final Consumer<String> onMessage;

	private final Runnable onOpen;

	private final Runnable watcher = this::followMap;

	private final AtomicBoolean warned = new AtomicBoolean();

	private final ReentrantLock mutex = new ReentrantLock();

	/** By the name of the master. */
	private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();

	private volatile boolean closed;

	ClusterInbox(RedisClient client, ClusterMap map, ClusterChannels channels, Consumer<String> onMessage,
			Runnable onOpen) {
		this.client = client;
		this.map = map;
		this.channels = channels;
		this.onMessage = onMessage;
		this.onOpen = onOpen;
		followMap();
		map.watch(this.watcher);
	}

	@Override
	public boolean isOpen() {
		return this.subscriptions.values().stream().anyMatch(Subscription::isOpen);
	}

	@Override
	public boolean isOpen(String key) {
		if (this.channels.kind(this.map) == SingleInbox.Kind.CLASSIC) {
			return isOpen();
		}
		ClusterMap.Master master = this.map.masterOf(key);
		Subscription subscription = (master != null) ? this.subscriptions.get(master.id()) : null;
		return subscription != null && subscription.isOpen();
	}

	@Override
	public void probe() {
		this.subscriptions.values().forEach(Subscription::probe);
	}

	@Override
	public void close() {
		this.map.unwatch(this.watcher);
		this.mutex.lock();
		try {
			this.closed = true;
			this.subscriptions.values().forEach(Subscription::close);
			this.subscriptions.clear();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Be subscribed where the map says, and nowhere else. */
	private void followMap() {
		this.mutex.lock();
		try {
			if (this.closed) {
				return;
			}
			if (!this.subscriptions.values().stream().allMatch(Subscription::isOpen)) {
				this.map.refresh();
			}
			Map<String, Place> places = new HashMap<>();
			this.channels.masters(this.map)
				.forEach((master) -> places.put(master.id(), new Place(master, this.channels.at(this.map, master))));
			Set.copyOf(this.subscriptions.keySet()).forEach((id) -> closeUnlessAt(id, places.get(id)));
			places.forEach((id, place) -> this.subscriptions.computeIfAbsent(id, (key) -> new Subscription(place)));
			this.subscriptions.values().forEach(Subscription::subscribeIfClosed);
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void closeUnlessAt(String id, @Nullable Place place) {
		Subscription subscription = this.subscriptions.get(id);
		if (subscription != null && (!subscription.isAt(place) || subscription.hasFailed())) {
			this.subscriptions.remove(id);
			subscription.close();
		}
	}

	private void refused(String channel, Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		if (message.contains("unknown command")) {
			this.map.useClassic();
		}
		else if (message.startsWith("MOVED")) {
			this.map.refresh();
		}
		else if (message.startsWith("NOPERM") && this.warned.compareAndSet(false, true)) {
			SingleInbox.warnOfRefusal(channel, failure);
		}
	}

	/**
	 * Where to subscribe, and to what.
	 *
	 * @param master the master
	 * @param channel name of the channel
	 */
	private record Place(ClusterMap.Master master, String channel) {

		boolean isSame(Place other) {
			return this.channel.equals(other.channel) && this.master.uri().equals(other.master.uri());
		}

	}

	/** A connection to one master, and the subscription on it. */
	private final class Subscription {

		private final Place place;

		private final CompletionStage<SingleInbox> connecting;

		private volatile @Nullable SingleInbox inbox;

		private volatile boolean failed;

		private volatile boolean asking;

		private volatile boolean over;

		Subscription(Place place) {
			this.place = place;
			SingleInbox.Kind kind = ClusterInbox.this.channels.kind(ClusterInbox.this.map);
			this.connecting = ClusterInbox.this.client.connectPubSubAsync(StringCodec.UTF8, place.master().uri())
				.thenApply((connection) -> SingleInbox.listen(connection, place.channel(), kind,
						ClusterInbox.this.onMessage, ClusterInbox.this.onOpen));
			this.connecting.whenComplete(this::connected);
		}

		private void connected(@Nullable SingleInbox connected, @Nullable Throwable failure) {
			if (connected == null) {
				this.failed = true;
				return;
			}
			this.inbox = connected;
			if (this.over) {
				connected.close();
			}
			else {
				subscribeIfClosed();
			}
		}

		boolean isAt(@Nullable Place other) {
			return other != null && this.place.isSame(other);
		}

		boolean hasFailed() {
			return this.failed;
		}

		boolean isOpen() {
			SingleInbox inbox = this.inbox;
			return inbox != null && inbox.isOpen();
		}

		void subscribeIfClosed() {
			SingleInbox inbox = this.inbox;
			if (inbox != null && !inbox.isOpen()) {
				subscribe(inbox);
			}
		}

		void probe() {
			SingleInbox inbox = this.inbox;
			if (inbox != null) {
				subscribe(inbox);
			}
		}

		private void subscribe(SingleInbox inbox) {
			if (this.asking) {
				return;
			}
			this.asking = true;
			inbox.subscribe().whenComplete((done, failure) -> {
				this.asking = false;
				if (failure != null) {
					refused(this.place.channel(), failure);
				}
			});
		}

		void close() {
			this.over = true;
			SingleInbox inbox = this.inbox;
			if (inbox != null) {
				inbox.close();
			}
		}

	}

}
