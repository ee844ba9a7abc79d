package io.github.lockboot.zookeeper;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockStore;

/**
 * A session of this JVM with the ensemble: its requests, which the ensemble executes in
 * their order, its watches, and its heartbeat. All replies and events arrive on one
 * thread, in order. Thread-safe.
 */
final class Session implements Watcher {

	/**
	 * The time within which heartbeats are gathered, since many are requested together.
	 */
	private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final CompletableFuture<ZooKeeper> client = new CompletableFuture<>();

	private final int number;

	private final String heartbeatPath;

	private final byte[] heartbeatData;

	private final List<ACL> acl;

	private final MonotonicClock clock;

	/** The time after which a request without a reply has failed. */
	private final long timeoutNanos;

	/** The watchers of changes, by path. */
	private final Map<String, Set<Watching>> watches = new ConcurrentHashMap<>();

	private final Listings listings = new Listings((path) -> children(path, false));

	private final AtomicReference<@Nullable Heartbeat> nextHeartbeat = new AtomicReference<>();

	/**
	 * When the last request was sent that a quorum has executed. Only the thread of the
	 * replies changes this field.
	 */
	private volatile long provenNanos;

	private volatile boolean connected;

	/** How often the session was connected. */
	private volatile int connections;

	/** When the last message of the server arrived. */
	private volatile long heardNanos;

	/** When the first request was sent that is still without a reply. */
	private volatile long unansweredNanos;

	/**
	 * Why no locks can be acquired in the session; {@code null} once locks can be
	 * acquired.
	 */
	private volatile @Nullable String obstacle = "not connected yet";

	/**
	 * Create a session that is not connected.
	 * @param heartbeatPath path of the node that this session alone writes
	 */
	Session(int number, String heartbeatPath, byte[] heartbeatData, List<ACL> acl, MonotonicClock clock,
			long timeoutNanos) {
		this.number = number;
		this.heartbeatPath = heartbeatPath;
		this.heartbeatData = heartbeatData;
		this.acl = acl;
		this.clock = clock;
		this.timeoutNanos = timeoutNanos;
		this.provenNanos = clock.nanoTime();
		this.heardNanos = this.provenNanos;
		this.unansweredNanos = this.provenNanos;
	}

	void start(ZooKeeper client) {
		this.client.complete(client);
	}

	ZooKeeper client() {
		return FutureWait.join(this.client);
	}

	int number() {
		return this.number;
	}

	/** Return the timeout that the ensemble has granted, in milliseconds. */
	int timeoutMillis() {
		return client().getSessionTimeout();
	}

	long provenNanos() {
		return this.provenNanos;
	}

	/** Note that a quorum has executed a write that was sent at a time. */
	void proven(long sentNanos) {
		if (sentNanos - this.provenNanos > 0) {
			this.provenNanos = sentNanos;
		}
	}

	// ---- state

	/** Return the latest transaction that the client has seen. */
	long lastTransaction() {
		return ((SessionClient) client()).lastTransaction();
	}

	boolean isUsable() {
		return this.connected && this.obstacle == null;
	}

	boolean isOpen() {
		return this.obstacle == null;
	}

	void connected(boolean connected) {
		this.heardNanos = this.clock.nanoTime();
		this.connections += connected ? 1 : 0; // by the thread of the replies
		this.connected = connected;
	}

	/**
	 * Return the number of the connection, from 1 on. Within a connection, events come in
	 * the order of the changes.
	 */
	int connection() {
		return this.connections;
	}

	/**
	 * Note that a request got no reply in time. Leave the server if nothing has arrived
	 * for a sixth of the session timeout, so that the next server renews the leases.
	 */
	void unanswered(long sentNanos) {
		if (!this.connected || sentNanos - this.heardNanos <= 0) {
			return;
		}
		if (this.unansweredNanos - this.heardNanos <= 0) {
			this.unansweredNanos = sentNanos;
		}
		if (this.clock.nanoTime() - this.unansweredNanos >= silenceNanos()) {
			this.connected = false;
			((SessionClient) client()).leaveServer();
		}
	}

	/** Return how long a server may be silent. */
	private long silenceNanos() {
		return TimeUnit.MILLISECONDS.toNanos(timeoutMillis()) / 6;
	}

	/** Let a reply fail after the time limit of all requests, and return the reply. */
	<T> CompletableFuture<T> limit(CompletableFuture<T> reply) {
		long sentNanos = this.clock.nanoTime();
		return this.clock.limit(reply, this.timeoutNanos, () -> {
			unanswered(sentNanos);
			return new TimeoutException(
					"ZooKeeper did not reply within " + TimeUnit.NANOSECONDS.toMillis(this.timeoutNanos) + " ms");
		});
	}

	void obstacle(@Nullable String obstacle) {
		this.obstacle = obstacle;
	}

	/** Return why no request can be sent. */
	String reason() {
		String obstacle = this.obstacle;
		return (obstacle != null) ? obstacle : "the connection is lost";
	}

	/** Return a description of the session, for display. */
	Map<String, String> describe() {
		ZooKeeper client = this.client.getNow(null);
		return (client == null) ? Map.of() : Map.of("state", isUsable() ? "CONNECTED" : reason(), "sessionId",
				"0x" + Long.toHexString(client.getSessionId()), "sessionTimeout", client.getSessionTimeout() + " ms",
				"server", String.valueOf(((SessionClient) client).server()));
	}

	// ---- heartbeat

	/** Create the node of the heartbeat, unless it exists. */
	CompletableFuture<Void> createHeartbeat() {
		long sentNanos = this.clock.nanoTime();
		return createPath(this.heartbeatPath, this.heartbeatData, CreateMode.EPHEMERAL)
			.thenAccept((created) -> proven(sentNanos));
	}

	/**
	 * Write, together with other heartbeats that are due soon. The stage is completed
	 * once a quorum has executed a write that was sent after this call.
	 */
	CompletableFuture<Void> heartbeat() {
		return heartbeat(GATHERING_NANOS);
	}

	/** Write for a lease, together with other heartbeats unless the lease ends soon. */
	CompletableFuture<Void> renew(long leaseMillis) {
		long leaseNanos = TimeUnit.MILLISECONDS.toNanos(leaseMillis);
		boolean late = this.clock.nanoTime() - this.provenNanos > leaseNanos / 2;
		return heartbeat(late ? GATHERING_NANOS : Math.max(GATHERING_NANOS, leaseNanos / 20));
	}

	private CompletableFuture<Void> heartbeat(long withinNanos) {
		long dueNanos = this.clock.nanoTime() + withinNanos;
		Heartbeat pending = this.nextHeartbeat.get();
		if (pending != null && dueNanos - pending.dueNanos() >= 0) {
			return pending.written();
		}
		Heartbeat mine = new Heartbeat(new CompletableFuture<>(), dueNanos);
		pending = this.nextHeartbeat.compareAndExchange(null, mine);
		Heartbeat next = (pending != null) ? pending : mine;
		this.clock.schedule(dueNanos, () -> send(next));
		return next.written();
	}

	private void send(Heartbeat next) {
		if (!this.nextHeartbeat.compareAndSet(next, null)) {
			return; // sent before, for a caller that needed it sooner
		}
		CompletableFuture<Void> heartbeat = limit(next.written());
		long sentNanos = this.clock.nanoTime();
		// not timed by the callers: the server may have replied to other requests since
		// they began
		MonotonicClock.Timer silence = this.clock.schedule(sentNanos + silenceNanos(), () -> unanswered(sentNanos));
		setData(this.heartbeatPath, this.heartbeatData).whenComplete((written, failure) -> {
			silence.cancel();
			if (failure != null && is(failure, Code.NONODE)) { // the node was deleted
				createHeartbeat().whenComplete((created, ex) -> pass(ex, heartbeat));
				return;
			}
			if (failure == null) {
				proven(sentNanos);
			}
			pass(failure, heartbeat);
		});
	}

	@SuppressWarnings("NullAway") // a Void is always null
	private static void pass(@Nullable Throwable failure, CompletableFuture<Void> future) {
		StageFailure.pass(null, failure, future);
	}

	// ---- watches

	/**
	 * Notify a watcher of the next change of a path for which a request leaves a watch.
	 */
	void watch(String path, Watching watching) {
		this.watches.compute(path, (key, present) -> {
			Set<Watching> all = (present != null) ? present : ConcurrentHashMap.newKeySet();
			all.add(watching);
			return all;
		});
	}

	void unwatch(String path, Watching watching) {
		this.watches.computeIfPresent(path, (key, all) -> {
			all.remove(watching);
			return all.isEmpty() ? null : all;
		});
	}

	@Override
	public void process(WatchedEvent event) {
		String path = event.getPath();
		Set<Watching> all = (path != null) ? this.watches.remove(path) : null;
		if (all != null) {
			boolean deleted = event.getType() == EventType.NodeDeleted;
			all.forEach((watching) -> LockStore.call(() -> {
				watching.changed(path, deleted);
				return CompletableFuture.completedStage(null);
			})); // a failure of one does not concern the others
		}
	}

	private @Nullable Watcher watcher(boolean watched) {
		return watched ? this : null;
	}

	// ---- requests

	CompletableFuture<Created> create(String path, byte[] data, CreateMode mode) {
		CompletableFuture<Created> reply = new CompletableFuture<>();
		client().create(path, data, this.acl, mode, (code, asked, ctx, created, stat) -> answer(reply, path, code,
				() -> new Created(created, stat.getCzxid())), null);
		return reply;
	}

	/**
	 * Create a container and a node in it, or neither: a container that never had a node
	 * would stay.
	 */
	CompletableFuture<Created> createInContainer(String container, String path, byte[] data, CreateMode mode) {
		CompletableFuture<Created> reply = new CompletableFuture<>();
		List<Op> both = List.of(Op.create(container, new byte[0], this.acl, CreateMode.CONTAINER),
				Op.create(path, data, this.acl, mode));
		client().multi(both, (code, asked, ctx, results) -> answer(reply, path, code, () -> {
			// the path of the node begins with the path of the connect string
			String created = ((OpResult.CreateResult) results.get(1)).getPath();
			long transaction = ((OpResult.CreateResult) results.get(0)).getStat().getCzxid();
			return new Created(container + created.substring(created.lastIndexOf('/')), transaction);
		}), null);
		return reply;
	}

	/** Create a node, and the nodes above it, unless they exist. */
	CompletableFuture<Void> createPath(String path, byte[] data, CreateMode mode) {
		String above = path.substring(0, path.lastIndexOf('/'));
		CompletableFuture<Void> created = create(path, data, mode).thenAccept((node) -> {
		});
		return created.exceptionallyCompose(on(Set.of(Code.NODEEXISTS), () -> CompletableFuture.completedFuture(null)))
			.exceptionallyCompose(on(above.isEmpty() ? Set.of() : Set.of(Code.NONODE),
					() -> createPath(above, new byte[0], CreateMode.PERSISTENT)
						.thenCompose((exists) -> createPath(path, data, mode))));
	}

	/**
	 * Return the nodes below a path as they are after this call, none if the path does
	 * not exist.
	 */
	CompletableFuture<QueueNodes> children(String path) {
		return this.listings.list(path);
	}

	/**
	 * Return the nodes below a path as known to the ensemble, and not only to a server
	 * that may lag behind.
	 */
	CompletableFuture<QueueNodes> latestChildren(String path) {
		CompletableFuture<Void> synced = new CompletableFuture<>();
		client().sync(path, (code, asked, ctx) -> answer(synced, path, code, () -> null), null);
		return synced.thenCompose((done) -> children(path));
	}

	/** Return the nodes below a path with a separate request, which may leave a watch. */
	CompletableFuture<QueueNodes> children(String path, boolean watched) {
		CompletableFuture<QueueNodes> reply = new CompletableFuture<>();
		client().getChildren(path, watcher(watched), (code, asked, ctx, names, stat) -> answer(reply, path, code,
				QueueNodes.NONE, () -> QueueNodes.of(names, stat.getPzxid())), null);
		return reply.thenCompose((nodes) -> nodes.areUnordered() ? inOrder(path, nodes) : reply);
	}

	/** Request the transaction that created each node. */
	private CompletableFuture<QueueNodes> inOrder(String path, QueueNodes nodes) {
		Map<QueueNode, Long> created = new HashMap<>(); // of one thread
		CompletableFuture<?>[] requests = nodes.nodes()
			.stream()
			.map((node) -> data(path + "/" + node.name(), false)
				.thenAccept((content) -> created.put(node, content.id()))
				.exceptionallyCompose(on(Set.of(Code.NONODE), () -> CompletableFuture.completedFuture(null))))
			.toArray(CompletableFuture[]::new);
		return CompletableFuture.allOf(requests).thenApply((all) -> nodes.inOrder(created));
	}

	/**
	 * Return the nodes with the owner's mode, because an owner may let others share the
	 * lock that it acquired exclusively.
	 */
	CompletableFuture<QueueNodes> withOwnersWish(String path, QueueNodes nodes) {
		if (nodes.isEmpty() || nodes.owner().shared()) {
			return CompletableFuture.completedFuture(nodes);
		}
		return data(path + "/" + nodes.owner().name(), false).handle(
				(content, failure) -> (failure == null && content.data().shared()) ? nodes.withSharedOwner() : nodes);
	}

	/** Return the data of a node, leaving a watch if it exists. */
	CompletableFuture<Content> data(String path, boolean watched) {
		CompletableFuture<Content> reply = new CompletableFuture<>();
		client().getData(path, watcher(watched), (code, asked, ctx, data, stat) -> answer(reply, path, code,
				() -> new Content(NodeData.parse(data), stat.getCzxid())), null);
		return reply;
	}

	CompletableFuture<Stat> setData(String path, byte[] data) {
		CompletableFuture<Stat> reply = new CompletableFuture<>();
		client().setData(path, data, -1, (code, asked, ctx, stat) -> answer(reply, path, code, () -> stat), null);
		return reply;
	}

	/** Delete a node, and return whether it existed. */
	CompletableFuture<Boolean> delete(String path) {
		CompletableFuture<Boolean> reply = new CompletableFuture<>();
		client().delete(path, -1, (code, asked, ctx) -> answer(reply, path, code, false, () -> true), null);
		return reply;
	}

	<T> void answer(CompletableFuture<T> reply, String path, int code, Supplier<@Nullable T> value) {
		answer(reply, path, code, null, value);
	}

	/**
	 * Complete a reply.
	 * @param missing the value if the node does not exist; {@code null} to fail
	 */
	<T> void answer(CompletableFuture<T> reply, String path, int code, @Nullable T missing,
			Supplier<@Nullable T> value) {
		if (code != Code.CONNECTIONLOSS.intValue()) {
			this.heardNanos = this.clock.nanoTime();
		}
		try {
			if (code == Code.OK.intValue()) {
				reply.complete(value.get());
			}
			else if (code == Code.NONODE.intValue() && missing != null) {
				reply.complete(missing);
			}
			else {
				reply.completeExceptionally(KeeperException.create(Code.get(code), path));
			}
		}
		catch (RuntimeException ex) { // the client would only log it
			reply.completeExceptionally(ex);
		}
	}

	static boolean is(Throwable failure, Code code) {
		return StageFailure.cause(failure) instanceof KeeperException ex && ex.code() == code;
	}

	/**
	 * Return what follows a failure with one of some codes; any other failure remains.
	 */
	static <T> Function<Throwable, CompletionStage<T>> on(Set<Code> codes, Supplier<CompletionStage<T>> next) {
		return (failure) -> codes.stream().anyMatch((code) -> is(failure, code)) ? next.get()
				: CompletableFuture.failedStage(failure);
	}

	/** A write that is sent at a time or earlier. */
	private record Heartbeat(CompletableFuture<Void> written, long dueNanos) {

	}

	/** Receives changes, on the thread of the replies. */
	interface Watching {

		/**
		 * Called when the node at a path, or the nodes below it, have changed.
		 * @param deleted whether the node was deleted
		 */
		void changed(String path, boolean deleted);

	}

	/** A node that was created, with the transaction that created it as the id. */
	record Created(String path, long id) {

	}

	/** The data of a node, with the transaction that created it as the id. */
	record Content(NodeData data, long id) {

	}

}
