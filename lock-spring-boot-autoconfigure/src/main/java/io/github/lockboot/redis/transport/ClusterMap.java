package io.github.lockboot.redis.transport;

import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.event.MovedRedirectionEvent;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/**
 * Which master of a cluster serves which slot, as last heard, and where channels for
 * pushes must lie. Looks a few times a second at what the client has learnt, which costs
 * no command. Thread-safe.
 */
final class ClusterMap implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(ClusterMap.class);

	/** What stands for a channel whose place does not matter. */
	static final String ANYWHERE = "{}";

	private static final long SHORTEST_REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	/** Slots move without a word where nothing is sent. */
	private static final long LONGEST_REFRESH_NANOS = TimeUnit.SECONDS.toNanos(10);

	private static final long LOOK_MILLIS = 250;

	private static final Duration PATIENCE_AT_END = Duration.ofSeconds(2);

	private final RedisClusterClient client;

	private final ServerUris uris;

	private final Map<Integer, String> tags = new ConcurrentHashMap<>();

	private final List<Runnable> watchers = new CopyOnWriteArrayList<>();

	private final Future<?> looking;

	private final Disposable redirections;

	private final AtomicBoolean refreshing = new AtomicBoolean();

	/** The present or last question to the cluster. */
	private volatile CompletableFuture<@Nullable Void> refresh = CompletableFuture.completedFuture(null);

	private volatile boolean closed;

	private volatile long refreshedNanos = System.nanoTime() - SHORTEST_REFRESH_NANOS;

	private volatile boolean sharded = true;

	private volatile View view = new View(List.of(), List.of(), Set.of(), new Master[SlotHash.SLOT_COUNT]);

	ClusterMap(RedisClusterClient client, ServerUris uris) {
		this.client = client;
		this.uris = uris;
		look();
		this.looking = client.getResources()
			.eventExecutorGroup()
			.scheduleWithFixedDelay(this::lookAndTell, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
		this.redirections = client.getResources()
			.eventBus()
			.get()
			.filter(MovedRedirectionEvent.class::isInstance)
			.subscribe((event) -> refresh());
	}

	/**
	 * A master that serves slots.
	 *
	 * @param id its name in the cluster
	 * @param uri how to connect to it
	 * @param tag hash tag, with braces, of keys and channels in its lowest slot
	 */
	record Master(String id, RedisURI uri, String tag) {

	}

	/**
	 * Return the masters that serve slots.
	 * @return in the order of their names
	 */
	List<Master> masters() {
		return this.view.masters();
	}

	/**
	 * Return the names of the masters that serve slots.
	 * @return the same object until the map is drawn anew
	 */
	Set<String> names() {
		return this.view.names();
	}

	/**
	 * Return the master that serves a key.
	 * @param key the key
	 * @return the master, if it is known
	 */
	@Nullable Master masterOf(String key) {
		return this.view.bySlot()[SlotHash.getSlot(key)];
	}

	/**
	 * Return the tag of the channels for what happens to a key. All clients that see the
	 * same cluster name the same tag.
	 * @param key the key
	 * @return a hash tag with braces
	 */
	String tag(String key) {
		Master master = this.sharded ? masterOf(key) : null;
		return (master != null) ? master.tag() : ANYWHERE;
	}

	/**
	 * Whether the servers know sharded channels.
	 * @return true until one was found that does not
	 */
	boolean isSharded() {
		return this.sharded;
	}

	/** The servers are older than Redis 7. */
	void useClassic() {
		this.sharded = false;
	}

	/**
	 * Ask the cluster anew, but not too often.
	 */
	void refresh() {
		long now = System.nanoTime();
		boolean due = now - this.refreshedNanos >= SHORTEST_REFRESH_NANOS && !this.closed;
		if (due && this.refreshing.compareAndSet(false, true)) {
			this.refreshedNanos = now;
			this.refresh = this.client.refreshPartitionsAsync()
				.toCompletableFuture()
				.handle((done, failure) -> null)
				.thenRun(() -> this.refreshing.set(false));
		}
	}

	/**
	 * Be told after each look, on a thread that must not be blocked.
	 * @param watcher who is told
	 */
	void watch(Runnable watcher) {
		this.watchers.add(watcher);
	}

	void unwatch(Runnable watcher) {
		this.watchers.remove(watcher);
	}

	/** Waits a little for a question under way, which would complain of its end. */
	@Override
	public void close() {
		this.closed = true;
		this.looking.cancel(false);
		this.redirections.dispose();
		this.refresh.copy().completeOnTimeout(null, PATIENCE_AT_END.toMillis(), TimeUnit.MILLISECONDS).join();
	}

	private void lookAndTell() {
		try {
			look();
			if (System.nanoTime() - this.refreshedNanos >= LONGEST_REFRESH_NANOS) {
				refresh();
			}
			this.watchers.forEach(Runnable::run);
		}
		catch (RuntimeException ex) {
			logger.warn("The map of the cluster could not be read; the last one stays", ex);
		}
	}

	private void look() {
		List<RedisClusterNode> nodes = List.copyOf(this.client.getPartitions());
		if (!this.view.isOf(nodes)) {
			this.view = draw(nodes);
		}
	}

	private View draw(List<RedisClusterNode> nodes) {
		@Nullable Master[] bySlot = new Master[SlotHash.SLOT_COUNT];
		List<Master> masters = nodes.stream()
			.filter((node) -> node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.hasNoSlots())
			.sorted(Comparator.comparing(RedisClusterNode::getNodeId))
			.map((node) -> {
				Master master = new Master(node.getNodeId(),
						this.uris.of(node.getUri().getHost(), node.getUri().getPort()),
						tagOf(Collections.min(node.getSlots())));
				node.getSlots().forEach((slot) -> bySlot[slot] = master);
				return master;
			})
			.toList();
		return new View(nodes, masters, masters.stream().map(Master::id).collect(Collectors.toUnmodifiableSet()),
				bySlot);
	}

	private String tagOf(int slot) {
		return Objects.requireNonNull(this.tags.computeIfAbsent(slot, ClusterMap::searchTag));
	}

	/** Some sixteen thousand tries, a few milliseconds. */
	private static String searchTag(int slot) {
		int number = 0;
		while (SlotHash.getSlot(Integer.toString(number, 36)) != slot) {
			number++;
		}
		return "{" + Integer.toString(number, 36) + "}";
	}

	/**
	 * What was made of one answer of the cluster.
	 *
	 * @param nodes the nodes, which are other objects after each answer
	 * @param masters those that serve slots
	 * @param names their names
	 * @param bySlot who serves each slot
	 */
	private record View(List<RedisClusterNode> nodes, List<Master> masters, Set<String> names,
			@Nullable Master[] bySlot) {

		boolean isOf(List<RedisClusterNode> present) {
			return present.size() == this.nodes.size()
					&& IntStream.range(0, present.size()).allMatch((i) -> present.get(i) == this.nodes.get(i));
		}

	}

}
