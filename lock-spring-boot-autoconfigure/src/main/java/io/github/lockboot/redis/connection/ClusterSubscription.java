package io.github.lockboot.redis.connection;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.RedisCodec;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.redis.connection.ClusterTopology.Master;

/**
 * A subscription at several masters of a cluster, which follows their roles and slots.
 * Sharded channels have one at each master, so that a master that stands still silences
 * only what it serves itself.
 *
 * @param <V> type of a message
 */
final class ClusterSubscription<V> implements Subscription {

	private static final Log logger = LogFactory.getLog(ClusterSubscription.class);

	/** So that one node that stands still does not silence channels of all nodes. */
	private static final int CLASSIC_NODES = 2;

	private static final long RETRY_MILLIS = 250;

	private final RedisClient client;

	private final RedisCodec<String, V> codec;

	private final ClusterTopology topology;

	private final SubscriptionListener<V> listener;

	/** Channels of one reader, on which scripts publish, instead of classic ones. */
	private final @Nullable ScriptChannels scripts;

	/** Names of channels that are not sharded. */
	private final Set<String> classic = ConcurrentHashMap.newKeySet();

	private final Runnable watcher = this::followAndLog;

	private final Future<?> retries;

	private final ReentrantLock mutex = new ReentrantLock();

	/** By the name of the master. */
	private final Map<String, Node<V>> nodes = new ConcurrentHashMap<>();

	private volatile boolean closed;

	ClusterSubscription(RedisClient client, RedisCodec<String, V> codec, ClusterTopology topology,
			SubscriptionListener<V> listener, @Nullable ScriptChannels scripts) {
		this.client = client;
		this.codec = codec;
		this.topology = topology;
		this.listener = listener;
		this.scripts = scripts;
		if (scripts != null) {
			this.classic.add(scripts.name(ClusterTopology.ANY_NODE));
		}
		follow();
		topology.watch(this.watcher);
		this.retries = client.getResources()
			.eventExecutorGroup()
			.scheduleWithFixedDelay(this.watcher, RETRY_MILLIS, RETRY_MILLIS, TimeUnit.MILLISECONDS);
	}

	/**
	 * The channels by which scripts reach one reader, as {@link RedisConnection#channels}
	 * names them.
	 */
	record ScriptChannels(String prefix, String reader) {

		String name(String tag) {
			return this.prefix + tag + this.reader;
		}

	}

	@Override
	public void add(String channel) {
		this.classic.add(channel);
		this.nodes.values().forEach((node) -> node.subscription().add(channel));
	}

	@Override
	public boolean isOpen(String channel) {
		return this.nodes.values().stream().anyMatch((node) -> node.subscription().isOpen(channel));
	}

	@Override
	public boolean isOpenFor(String key) {
		if (!isSharded()) {
			return this.nodes.values().stream().anyMatch((node) -> node.subscription().isAnyOpen());
		}
		Master master = this.topology.masterOf(key);
		Node<V> node = (master != null) ? this.nodes.get(master.id()) : null;
		return node != null && node.subscription().isAnyOpen();
	}

	@Override
	public void probe() {
		this.nodes.values().forEach((node) -> node.subscription().probe());
	}

	@Override
	public void close() {
		this.topology.unwatch(this.watcher);
		this.retries.cancel(false);
		this.mutex.lock();
		try {
			this.closed = true;
			this.nodes.values().forEach((node) -> node.subscription().close());
			this.nodes.clear();
		}
		finally {
			this.mutex.unlock();
		}
	}

	private boolean isSharded() {
		return this.scripts != null && this.topology.isSharded();
	}

	private void followAndLog() {
		try {
			follow();
		}
		catch (RuntimeException ex) {
			logger.warn("Subscriptions could not be adapted to the cluster; this is tried again", ex);
		}
	}

	/** Subscribes where the topology says, and nowhere else; one thread at a time. */
	private void follow() {
		if (!this.mutex.tryLock()) {
			return;
		}
		try {
			if (this.closed) {
				return;
			}
			if (!this.nodes.values().stream().allMatch(this::isComplete)) {
				this.topology.refresh();
			}
			Map<String, Master> masters = masters().stream().collect(Collectors.toMap(Master::id, (master) -> master));
			Set.copyOf(this.nodes.keySet()).forEach((id) -> leaveUnlessAt(id, masters.get(id)));
			masters.forEach((id, master) -> this.nodes.computeIfAbsent(id, (key) -> connect(master))
				.subscription()
				.addAll(channels(master)));
		}
		finally {
			this.mutex.unlock();
		}
	}

	private List<Master> masters() {
		List<Master> masters = this.topology.masters();
		return isSharded() ? masters : masters.subList(0, Math.min(CLASSIC_NODES, masters.size()));
	}

	private Set<String> channels(Master master) {
		return (this.scripts != null && isSharded()) ? Set.of(this.scripts.name(master.tag())) : this.classic;
	}

	private boolean isComplete(Node<V> node) {
		return channels(node.master()).stream().allMatch(node.subscription()::isOpen);
	}

	private Node<V> connect(Master master) {
		// subscribers can't be counted in a cluster, but its masters are known
		NodeSubscription<V> subscription = new NodeSubscription<>(new NodeListener(), isSharded(),
				(channel) -> CompletableFuture.completedStage(1L));
		CompletableFuture<?> connecting = this.client.connectPubSubAsync(this.codec, master.uri())
			.thenAccept(subscription::connected)
			.toCompletableFuture();
		return new Node<>(master, isSharded(), subscription, connecting);
	}

	private void leaveUnlessAt(String id, @Nullable Master master) {
		Node<V> node = this.nodes.get(id);
		if (node != null && (!node.isAt(master, isSharded()) || node.hasFailed())) {
			this.nodes.remove(id);
			node.subscription().closeChannels();
			node.subscription().close();
		}
	}

	/** The subscription at one master; {@code connecting} ends when it is connected. */
	private record Node<V>(Master master, boolean sharded, NodeSubscription<V> subscription,
			CompletableFuture<?> connecting) {

		/** The lowest slot names sharded channels only. */
		boolean isAt(@Nullable Master present, boolean sharded) {
			return present != null && this.sharded == sharded
					&& (sharded ? this.master.equals(present) : this.master.uri().equals(present.uri()));
		}

		boolean hasFailed() {
			return this.connecting.isCompletedExceptionally();
		}

	}

	private final class NodeListener implements SubscriptionListener<V> {

		@Override
		public void message(String channel, V message) {
			ClusterSubscription.this.listener.message(channel, message);
		}

		@Override
		public void opened(String channel) {
			ClusterSubscription.this.listener.opened(channel);
		}

		@Override
		public void closed(String channel) {
			ClusterSubscription.this.listener.closed(channel);
		}

		@Override
		public void refused(String channel, Throwable failure) {
			String message = String.valueOf(failure.getMessage());
			if (message.contains("unknown command")) {
				ClusterSubscription.this.topology.useClassic();
			}
			else if (message.startsWith("MOVED")) {
				ClusterSubscription.this.topology.refresh();
			}
			else if (message.startsWith("NOPERM")) {
				ClusterSubscription.this.listener.refused(channel, failure);
			}
		}

	}

}
