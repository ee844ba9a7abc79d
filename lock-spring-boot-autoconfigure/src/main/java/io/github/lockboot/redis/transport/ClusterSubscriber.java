package io.github.lockboot.redis.transport;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import org.jspecify.annotations.Nullable;

/**
 * Subscriptions at several masters of a cluster, which follow their roles and slots.
 * Sharded channels have one at each master, so that a master that stands still silences
 * only what it serves itself.
 *
 * @param <V> type of a message
 */
final class ClusterSubscriber<V> implements Subscriptions {

	private final RedisClient client;

	private final RedisCodec<String, V> codec;

	private final ClusterMap map;

	private final ClusterChannels channels;

	private final ChannelListener<V> listener;

	private final Runnable watcher = this::followMap;

	private final ReentrantLock mutex = new ReentrantLock();

	/** By the name of the master. */
	private final Map<String, Post> posts = new ConcurrentHashMap<>();

	private volatile boolean closed;

	ClusterSubscriber(RedisClient client, RedisCodec<String, V> codec, ClusterMap map, ClusterChannels channels,
			ChannelListener<V> listener) {
		this.client = client;
		this.codec = codec;
		this.map = map;
		this.channels = channels;
		this.listener = listener;
		followMap();
		map.watch(this.watcher);
	}

	@Override
	public void subscribe(String channel) {
		this.channels.add(channel);
		this.posts.values().forEach((post) -> post.subscribe(Set.of(channel)));
	}

	@Override
	public boolean isOpen(String channel) {
		return this.posts.values().stream().anyMatch((post) -> post.isOpen(channel));
	}

	@Override
	public boolean isAnyOpen() {
		return this.posts.values().stream().anyMatch(Post::isAnyOpen);
	}

	@Override
	public boolean isOpenAt(String key) {
		if (this.channels.kind(this.map) == Subscriber.Kind.CLASSIC) {
			return isAnyOpen();
		}
		ClusterMap.Master master = this.map.masterOf(key);
		Post post = (master != null) ? this.posts.get(master.id()) : null;
		return post != null && post.isAnyOpen();
	}

	@Override
	public void probe() {
		this.posts.values().forEach(Post::probe);
	}

	@Override
	public void close() {
		this.map.unwatch(this.watcher);
		this.mutex.lock();
		try {
			this.closed = true;
			this.posts.values().forEach(Post::close);
			this.posts.clear();
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
			if (!this.posts.values().stream().allMatch(Post::isComplete)) {
				this.map.refresh();
			}
			Map<String, Place> places = new HashMap<>();
			this.channels.masters(this.map)
				.forEach((master) -> places.put(master.id(), new Place(master, this.channels.at(this.map, master))));
			Set.copyOf(this.posts.keySet()).forEach((id) -> leaveUnlessAt(id, places.get(id)));
			places.forEach((id, place) -> this.posts.computeIfAbsent(id, (key) -> new Post(place))
				.subscribe(place.channels()));
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void leaveUnlessAt(String id, @Nullable Place place) {
		Post post = this.posts.get(id);
		if (post != null && (!post.isAt(place) || post.hasFailed())) {
			this.posts.remove(id);
			post.leave();
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
		else if (message.startsWith("NOPERM")) {
			this.listener.refused(channel, failure);
		}
	}

	/**
	 * Where to subscribe, and to what.
	 *
	 * @param master the master
	 * @param channels names of the channels
	 */
	private record Place(ClusterMap.Master master, Set<String> channels) {

		/** Whether nothing has to end for the other one. */
		boolean isSame(Place other) {
			return other.channels.containsAll(this.channels) && this.master.uri().equals(other.master.uri());
		}

	}

	/** A connection to one master, and the subscriptions on it. */
	private final class Post implements ChannelListener<V> {

		private final Place place;

		private final Subscriber.Kind kind;

		private volatile @Nullable Subscriber<V> subscriber;

		private volatile boolean failed;

		private volatile boolean over;

		Post(Place place) {
			this.place = place;
			this.kind = ClusterSubscriber.this.channels.kind(ClusterSubscriber.this.map);
			ClusterSubscriber.this.client.connectPubSubAsync(ClusterSubscriber.this.codec, place.master().uri())
				.whenComplete(this::connected);
		}

		private void connected(@Nullable StatefulRedisPubSubConnection<String, V> connection,
				@Nullable Throwable failure) {
			if (connection == null) {
				this.failed = true;
				return;
			}
			Subscriber<V> connected = Subscriber.on(connection, this.kind, this, Subscriber.Audience.UNCOUNTED);
			this.subscriber = connected;
			if (this.over) {
				connected.close();
			}
			else {
				this.place.channels().forEach(connected::subscribe);
			}
		}

		boolean isAt(@Nullable Place other) {
			return other != null && this.place.isSame(other);
		}

		boolean hasFailed() {
			return this.failed;
		}

		boolean isComplete() {
			return this.place.channels().stream().allMatch(this::isOpen);
		}

		boolean isAnyOpen() {
			Subscriber<V> connected = this.subscriber;
			return connected != null && connected.isAnyOpen();
		}

		boolean isOpen(String channel) {
			Subscriber<V> connected = this.subscriber;
			return connected != null && connected.isOpen(channel);
		}

		void subscribe(Set<String> channels) {
			Subscriber<V> connected = this.subscriber;
			if (connected != null) {
				channels.forEach(connected::subscribe);
			}
		}

		void probe() {
			Subscriber<V> connected = this.subscriber;
			if (connected != null) {
				connected.probe();
			}
		}

		/** Close, and say so. */
		void leave() {
			Subscriber<V> connected = this.subscriber;
			if (connected != null) {
				connected.closeAll();
			}
			close();
		}

		void close() {
			this.over = true;
			Subscriber<V> connected = this.subscriber;
			if (connected != null) {
				connected.close();
			}
		}

		@Override
		public void message(String channel, V message) {
			ClusterSubscriber.this.listener.message(channel, message);
		}

		@Override
		public void opened(String channel) {
			ClusterSubscriber.this.listener.opened(channel);
		}

		@Override
		public void closed(String channel) {
			ClusterSubscriber.this.listener.closed(channel);
		}

		@Override
		public void refused(String channel, Throwable failure) {
			ClusterSubscriber.this.refused(channel, failure);
		}

	}

}
