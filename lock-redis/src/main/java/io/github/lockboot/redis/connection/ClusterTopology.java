package io.github.lockboot.redis.connection;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.event.MovedRedirectionEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode.NodeFlag;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.Mutex;

/**
 * The masters of a cluster as of the last refresh, and the hash tags of their channels.
 * This class requests the refreshes, because Lettuce would log each of its own refreshes
 * that fails. Thread-safe.
 */
final class ClusterTopology implements AutoCloseable {

	/** The hash tag of a channel that does not belong to a particular node. */
	static final String ANY_NODE = "{}";

	private static final long SHORTEST_REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/**
	 * The time between two refreshes. A JVM that sends no commands does not detect moved
	 * slots otherwise.
	 */
	private static final long REFRESH_SECONDS = 10;

	private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

	private final RedisClusterClient client;

	private final NodeUris uris;

	private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

	private final Map<Integer, String> tags = new ConcurrentHashMap<>();

	private final Future<?> periodicRefresh;

	private final Disposable redirections;

	private final Mutex mutex = new Mutex();

	/** The current or last refresh. */
	private volatile CompletableFuture<@Nullable Void> refresh = CompletableFuture.completedFuture(null);

	private boolean closed;

	private long refreshedNanos = System.nanoTime() - SHORTEST_REFRESH_NANOS;

	private volatile boolean sharded = true;

	/** The masters by their ids, in the order of the ids. */
	private volatile Map<String, Master> masters = Map.of();

	/** Create the topology of a client that has read the partitions. */
	ClusterTopology(RedisClusterClient client, NodeUris uris) {
		this.client = client;
		this.uris = uris;
		readMasters();
		this.periodicRefresh = client.getResources()
			.eventExecutorGroup()
			.scheduleWithFixedDelay(this::refresh, REFRESH_SECONDS, REFRESH_SECONDS, TimeUnit.SECONDS);
		this.redirections = client.getResources()
			.eventBus()
			.get()
			.filter(MovedRedirectionEvent.class::isInstance)
			.subscribe((event) -> refresh());
	}

	/**
	 * A master that serves slots.
	 *
	 * @param tag hash tag, with braces, of channels in its lowest slot
	 */
	record Master(String id, RedisURI uri, String tag) {

		String address() {
			return this.uri.getHost() + ":" + this.uri.getPort();
		}

	}

	List<Master> masters() {
		return List.copyOf(this.masters.values());
	}

	/** Return the ids of the masters, the same object until the next refresh. */
	Set<String> ids() {
		return this.masters.keySet();
	}

	@Nullable Master master(String id) {
		return this.masters.get(id);
	}

	@Nullable Master masterOf(String key) {
		RedisClusterNode node = this.client.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
		return (node != null) ? master(node.getNodeId()) : null;
	}

	/**
	 * Return the hash tag, with braces, of the channels for messages about a key. The
	 * hash tag is the same for all clients with the same view of the cluster.
	 */
	String tag(String key) {
		Master master = this.sharded ? masterOf(key) : null;
		return (master != null) ? master.tag() : ANY_NODE;
	}

	/**
	 * Return whether channels are sharded, as long as all servers support sharded
	 * channels.
	 */
	boolean isSharded() {
		return this.sharded;
	}

	void useClassicChannels() {
		this.sharded = false;
	}

	/** Refresh in the background, but not too often. */
	void refresh() {
		this.mutex.run(() -> {
			long now = System.nanoTime();
			if (!this.closed && this.refresh.isDone() && now - this.refreshedNanos >= SHORTEST_REFRESH_NANOS) {
				this.refreshedNanos = now;
				this.refresh = CompletableFuture.completedFuture(null)
					.thenCompose((none) -> this.client.refreshPartitionsAsync())
					.handle((done, failure) -> {
						readMasters();
						this.watchers.forEach(Runnable::run);
						return null;
					});
			}
		});
	}

	/** Add a watcher, which is called after each refresh and must not block. */
	void watch(Runnable watcher) {
		this.watchers.add(watcher);
	}

	void unwatch(Runnable watcher) {
		this.watchers.remove(watcher);
	}

	private void readMasters() {
		Map<String, Master> present = new TreeMap<>();
		this.client.getPartitions()
			.stream()
			.filter((node) -> node.is(NodeFlag.UPSTREAM) && !node.hasNoSlots())
			.forEach((node) -> present.put(node.getNodeId(), master(node)));
		this.masters = Collections.unmodifiableMap(present);
	}

	private Master master(RedisClusterNode node) {
		return new Master(node.getNodeId(), this.uris.of(node.getUri().getHost(), node.getUri().getPort()),
				tagOf(Collections.min(node.getSlots())));
	}

	private String tagOf(int slot) {
		return Objects.requireNonNull(this.tags.computeIfAbsent(slot, ClusterTopology::searchTag));
	}

	/**
	 * Search for a hash tag in a slot, with some sixteen thousand attempts in a few
	 * milliseconds.
	 */
	private static String searchTag(int slot) {
		int number = 0;
		while (SlotHash.getSlot(Integer.toString(number, 36)) != slot) {
			number++;
		}
		return "{" + Integer.toString(number, 36) + "}";
	}

	/** Wait briefly for a refresh in progress, which would otherwise log a failure. */
	@Override
	public void close() {
		this.mutex.run(() -> this.closed = true);
		this.periodicRefresh.cancel(false);
		this.redirections.dispose();
		FutureWait.await(this.refresh, CLOSE_LIMIT);
	}

}
