package io.github.lockboot.redis.connection;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.lettuce.core.RedisClient;
import io.lettuce.core.codec.RedisCodec;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.redis.connection.ClusterTopology.Master;

/**
 * A subscription at several masters of a cluster, which follows their roles and slots.
 * Sharded channels have a subscription at each master, so that a master that does not
 * respond affects only its own slots.
 */
final class ClusterSubscription<V> implements Subscription {

	private static final Log logger = LogFactory.getLog(ClusterSubscription.class);

	/**
	 * The number of nodes for classic channels: two, so that these channels survive a
	 * node that does not respond.
	 */
	private static final int CLASSIC_NODES = 2;

	private static final long RETRY_MILLIS = 250;

	private final RedisClient client;

	private final RedisCodec<String, V> codec;

	private final ClusterTopology topology;

	private final Listener<V> listener;

	/** Names the channel of a hash tag on which scripts publish to one reader. */
	private final @Nullable UnaryOperator<String> scriptChannel;

	/** Channels that are not sharded. */
	private final Set<String> classic = ConcurrentHashMap.newKeySet();

	private final Runnable watcher = this::followAndLog;

	private final Future<?> retries;

	private final Mutex mutex = new Mutex();

	/** The nodes by the id of the master. */
	private final Map<String, Node<V>> nodes = new ConcurrentHashMap<>();

	private volatile boolean closed;

	ClusterSubscription(RedisClient client, RedisCodec<String, V> codec, ClusterTopology topology, Listener<V> listener,
			@Nullable UnaryOperator<String> scriptChannel) {
		this.client = client;
		this.codec = codec;
		this.topology = topology;
		this.listener = listener;
		this.scriptChannel = scriptChannel;
		if (scriptChannel != null) {
			this.classic.add(scriptChannel.apply(ClusterTopology.ANY_NODE));
		}
		follow();
		topology.watch(this.watcher);
		this.retries = client.getResources()
			.eventExecutorGroup()
			.scheduleWithFixedDelay(this.watcher, RETRY_MILLIS, RETRY_MILLIS, TimeUnit.MILLISECONDS);
	}

	/** The subscription at one master; {@code connecting} is completed when connected. */
	private record Node<V>(Master master, boolean sharded, NodeSubscription<V> subscription,
			CompletableFuture<?> connecting) {

		/**
		 * Return whether the subscription is at a master. Only the names of sharded
		 * channels depend on the lowest slot.
		 */
		boolean isAt(@Nullable Master present, boolean sharded) {
			return present != null && this.sharded == sharded
					&& (sharded ? this.master.equals(present) : this.master.uri().equals(present.uri()));
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
			return this.nodes.values().stream().anyMatch((node) -> node.subscription().isOpenFor(key));
		}
		Master master = this.topology.masterOf(key);
		Node<V> node = (master != null) ? this.nodes.get(master.id()) : null;
		return node != null && node.subscription().isOpenFor(key);
	}

	@Override
	public void probe(String channel) {
		this.nodes.values().forEach((node) -> node.subscription().probe(channel));
	}

	@Override
	public void close() {
		this.topology.unwatch(this.watcher);
		this.retries.cancel(false);
		this.mutex.run(() -> {
			this.closed = true;
			this.nodes.values().forEach((node) -> node.subscription().close());
			this.nodes.clear();
		});
	}

	private boolean isSharded() {
		return this.scriptChannel != null && this.topology.isSharded();
	}

	private void followAndLog() {
		try {
			follow();
		}
		catch (RuntimeException ex) {
			logger.warn("Subscriptions could not be adapted to the cluster and are retried", ex);
		}
	}

	/**
	 * Subscribe at the masters of the topology only. One thread at a time runs this
	 * method.
	 */
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
			List<Master> all = this.topology.masters();
			Map<String, Master> masters = all.subList(0, isSharded() ? all.size() : Math.min(CLASSIC_NODES, all.size()))
				.stream()
				.collect(Collectors.toMap(Master::id, (master) -> master));
			Set.copyOf(this.nodes.keySet()).forEach((id) -> leaveUnlessAt(id, masters.get(id)));
			masters.forEach((id, master) -> {
				Node<V> node = this.nodes.computeIfAbsent(id, (key) -> connect(master));
				channels(master).forEach(node.subscription()::add);
			});
		}
		finally {
			this.mutex.unlock();
		}
	}

	private Set<String> channels(Master master) {
		return (this.scriptChannel != null && isSharded()) ? Set.of(this.scriptChannel.apply(master.tag()))
				: this.classic;
	}

	private boolean isComplete(Node<V> node) {
		return channels(node.master()).stream().allMatch(node.subscription()::isOpen);
	}

	private Node<V> connect(Master master) {
		// subscribers can't be counted in a cluster, but its masters are known
		NodeSubscription<V> subscription = new NodeSubscription<>(this.listener, isSharded(), this::refused,
				(channel) -> CompletableFuture.completedStage(1L));
		CompletableFuture<?> connecting = this.client.connectPubSubAsync(this.codec, master.uri())
			.thenAccept(subscription::connected)
			.toCompletableFuture();
		return new Node<>(master, isSharded(), subscription, connecting);
	}

	private void leaveUnlessAt(String id, @Nullable Master master) {
		Node<V> node = this.nodes.get(id);
		if (node != null && (!node.isAt(master, isSharded()) || node.connecting().isCompletedExceptionally())) {
			this.nodes.remove(id);
			node.subscription().closeChannels();
			node.subscription().close();
		}
	}

	private void refused(String channel, Throwable failure) {
		String error = String.valueOf(failure.getMessage());
		if (error.contains("unknown command")) {
			this.topology.useClassicChannels();
		}
		else if (error.startsWith("MOVED")) {
			this.topology.refresh();
		}
		else if (error.startsWith("NOPERM")) {
			this.listener.refused(channel, failure);
		}
	}

}
