package io.github.lockboot.zookeeper;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockState;
import io.github.lockboot.LockState.Holder;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockAdministration;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.engine.support.LockHolders;

/**
 * Leases in ZooKeeper: each attempt is a {@link LockNode} in the queue of its lock. The
 * session of this JVM is the lease of all its locks. Thread-safe.
 */
final class ZookeeperLockStore implements LockStore, LockAdministration, Ensemble.Listener {

	private static final StoreTraits TRAITS = new StoreTraits("ZooKeeper", StoreTraits.Tokens.NUMBERS,
			StoreTraits.Waiting.GRANTS, StoreTraits.Leases.SESSION,
			Set.of(StoreTraits.Kind.EXCLUSIVE, StoreTraits.Kind.SHARED));

	private static final Set<Code> UNKNOWN_OUTCOME = Set.of(Code.CONNECTIONLOSS, Code.OPERATIONTIMEOUT,
			Code.REQUESTTIMEOUT, Code.SESSIONEXPIRED, Code.SESSIONMOVED, Code.SYSTEMERROR);

	/**
	 * The time after which an owner checks who waits; an owner that releases its lock
	 * sooner does not need to know.
	 */
	private static final long OBSERVED_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * How many nodes a list visits. The names come in one reply, and a client closes its
	 * connection if a reply is longer than 1 MB.
	 */
	private static final int MOST_NODES = 5000;

	/** The time after which the container of an unused lock is deleted. */
	private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

	private final String instance = LockStore.newInstance();

	private final MonotonicClock clock;

	private final long originNanos;

	private final ZookeeperLockSettings settings;

	private final Ensemble ensemble;

	private final TokenOffset tokens;

	private final String process;

	/** The nodes by the ids of their attempts. */
	private final Map<String, LockNode> nodes = new ConcurrentHashMap<>();

	private final Queue<LockNode> newOwners = new ConcurrentLinkedQueue<>();

	private final AtomicBoolean observing = new AtomicBoolean();

	/** When each lock whose container exists was last released. */
	private final Map<String, Long> idle = new ConcurrentHashMap<>();

	private volatile @Nullable LockPushes pushes;

	private ZookeeperLockStore(ZookeeperLockSettings settings, Consumer<CuratorFrameworkFactory.Builder> customizer,
			MonotonicClock clock) {
		this.settings = settings;
		this.process = NodeData.thisProcess(settings.lockDefaults().application());
		this.clock = clock;
		this.originNanos = clock.nanoTime() - TimeUnit.SECONDS.toNanos(1);
		this.ensemble = new Ensemble(settings, customizer, clock, this.instance, this);
		this.tokens = new TokenOffset(settings.root() + Ensemble.SESSIONS);
	}

	static ZookeeperLockStore connect(ZookeeperLockSettings settings, MonotonicClock clock) {
		return connect(settings, (client) -> {
		}, clock);
	}

	/** Connect to the ensemble, as {@link Ensemble#start()} does. */
	static ZookeeperLockStore connect(ZookeeperLockSettings settings,
			Consumer<CuratorFrameworkFactory.Builder> customizer, MonotonicClock clock) {
		ZookeeperLockStore store = new ZookeeperLockStore(settings, customizer, clock);
		store.ensemble.start();
		return store;
	}

	@Override
	public String instance() {
		return this.instance;
	}

	@Override
	public StoreTraits traits() {
		return TRAITS;
	}

	@Override
	public void listen(LockPushes pushes) {
		this.pushes = pushes;
	}

	@Override
	public boolean isReachable() {
		return this.ensemble.isUsable();
	}

	TokenOffset tokens() {
		return this.tokens;
	}

	Ensemble ensemble() {
		return this.ensemble;
	}

	Map<String, String> describe() {
		return this.ensemble.current().describe();
	}

	// ---- calls

	@Override
	public CompletionStage<AcquireReply> acquire(LockAttempt attempt, long seenToken, Queueing queueing,
			long blockNanos) {
		Session session = this.ensemble.session();
		LockNode known = this.nodes.get(attempt.id());
		if (known != null && known.isOf(session)) {
			return limited(known.again(seenToken, queueing.wanted()));
		}
		if (queueing.wanted()) {
			return limited(enter(session, attempt, seenToken, true));
		}
		String path = path(attempt.lock());
		boolean shared = attempt.permits() > 1;
		return limited(session.children(path)
			.thenCompose((all) -> shared ? session.withOwnersWish(path, all) : CompletableFuture.completedFuture(all))
			.thenCompose((all) -> (all.blocker(all.nodes().size(), shared) == null)
					? enter(session, attempt, seenToken, false) : CompletableFuture
						.completedFuture(new AcquireReply.Busy(this.settings.sessionTimeout().toMillis()))));
	}

	private CompletableFuture<AcquireReply> enter(Session session, LockAttempt attempt, long seenToken,
			boolean mayQueue) {
		NodeData data = NodeData.of(this.settings.sessionTimeout().toMillis(), this.process, attempt);
		LockNode node = new LockNode(this, session, attempt, seenToken, path(attempt.lock()), data);
		this.nodes.put(attempt.id(), node);
		if (!session.isOpen()) { // has expired meanwhile
			forget(node);
		}
		CompletableFuture<AcquireReply> reply = node.enter(mayQueue);
		return reply.exceptionallyCompose((failure) -> {
			if (failureOf(failure) != FailedCall.REFUSED || !node.isQueued()) {
				return reply;
			}
			forget(node); // even if its deletion is refused, too
			return node.release().thenCompose((released) -> reply);
		});
	}

	/** Confirm the attempts, whose nodes remain as long as the session. */
	@Override
	public CompletionStage<Map<LockAttempt, AcquireReply>> confirmQueued(String lock,
			Map<LockAttempt, Long> sinceMicros) {
		Session session = this.ensemble.session();
		return session.heartbeat().thenApply((written) -> {
			Map<LockAttempt, AcquireReply> replies = new HashMap<>();
			for (LockAttempt attempt : sinceMicros.keySet()) {
				LockNode node = this.nodes.get(attempt.id());
				if (node != null && node.isOf(session) && node.isQueued()) {
					replies.put(attempt, node.queued());
				}
			}
			return replies;
		});
	}

	@Override
	public CompletionStage<RenewReply> renew(LockAttempt attempt) {
		LockNode node = owner(attempt);
		return (node != null) ? node.renew(attempt.leaseMillis())
				: CompletableFuture.completedStage(new RenewReply.NotOwner());
	}

	@Override
	public CompletionStage<ReleaseReply> release(LockAttempt attempt, long usedToken, long keptMillis) {
		LockNode owner = (keptMillis > 0) ? owner(attempt) : null;
		if (owner != null) {
			releaseAfter(TimeUnit.MILLISECONDS.toNanos(keptMillis), owner);
			return CompletableFuture.completedStage(ReleaseReply.RELEASED);
		}
		Session session = this.ensemble.session();
		LockNode node = this.nodes.get(attempt.id());
		if (node != null && node.isOf(session)) {
			return limited(node.release());
		}
		return limited(delete(session, attempt)
			.thenApply((deleted) -> deleted ? ReleaseReply.RELEASED : ReleaseReply.NOT_OWNER));
	}

	/**
	 * Release the lock later: a timer of this JVM deletes the node, unless the session
	 * ends before.
	 */
	private void releaseAfter(long delayNanos, LockNode node) {
		this.clock.schedule(this.clock.nanoTime() + delayNanos, () -> node.release().exceptionally((failure) -> {
			if (this.nodes.get(node.attempt().id()) == node) {
				releaseAfter(RETRY_NANOS, node);
			}
			return ReleaseReply.NOT_OWNER;
		}));
	}

	@Override
	public CompletionStage<RenewReply> downgrade(LockAttempt attempt, long usedToken) {
		LockNode node = owner(attempt);
		return (node != null) ? limited(node.downgrade(usedToken))
				: CompletableFuture.completedStage(new RenewReply.NotOwner());
	}

	@Override
	public LockAdministration administration() {
		return this;
	}

	@Override
	public CompletionStage<Boolean> forceRelease(String lock) {
		Session session = this.ensemble.session();
		return limited(
				owners(session, lock).thenCompose((all) -> delete(session, lock, all.owners()).thenApply((deleted) -> {
					all.owners()
						.stream()
						.map((owner) -> this.nodes.get(owner.attempt()))
						.filter((node) -> node != null && node.isOf(session))
						.forEach((node) -> node.takenIf(true));
					return deleted;
				})));
	}

	private CompletableFuture<QueueNodes> owners(Session session, String lock) {
		return session.children(path(lock)).thenCompose((all) -> session.withOwnersWish(path(lock), all));
	}

	@Override
	public CompletionStage<LockState> inspect(String lock) {
		return limited(inspect(this.ensemble.session(), lock));
	}

	/** If the owner releases the lock meanwhile, read again who owns it. */
	private CompletableFuture<LockState> inspect(Session session, String lock) {
		return owners(session, lock)
			.thenCompose((all) -> all.isEmpty()
					? CompletableFuture
						.completedFuture(new LockState(lock, null, null, this.tokens.last(all.changeId()), 0, 0))
					: session.data(path(lock) + "/" + all.owner().name(), false)
						.thenCompose((owner) -> withHolders(session, all.owners(), state(lock, all, owner))))
			.exceptionallyCompose((failure) -> Session.is(StageFailure.cause(failure), Code.NONODE)
					? inspect(session, lock) : CompletableFuture.failedFuture(failure));
	}

	private CompletableFuture<LockState> withHolders(Session session, List<QueueNode> owners, LockState state) {
		List<CompletableFuture<Holder>> holders = owners.stream()
			.limit(LockHolders.MOST_SHOWN)
			.map((node) -> session.data(path(state.name()) + "/" + node.name(), false)
				.handle((content, failure) -> (failure == null) ? content.data().holder(node.attempt())
						: Holder.unknown(node.attempt())))
			.toList();
		return CompletableFuture.allOf(holders.toArray(CompletableFuture[]::new))
			.thenApply((done) -> state.heldBy(holders.stream().map(CompletableFuture::join).toList()));
	}

	private LockState state(String lock, QueueNodes all, Session.Content owner) {
		boolean shared = all.owner().shared();
		long token = owner.data().token();
		if (token == 0) {
			token = shared ? this.tokens.first(owner.id()) : this.tokens.last(owner.id());
		}
		int holders = all.owners().size();
		return new LockState(lock, shared ? "shared" : all.owner().attempt(),
				Duration.ofMillis(owner.data().leaseMillis()), token, holders, all.nodes().size() - holders);
	}

	@Override
	public CompletionStage<List<String>> list(String pattern, String after, int most) {
		String prefix = this.settings.keyPrefix();
		return limited(nodesOfLocks().thenApply((nodes) -> LockAdministration.first(nodes.stream()
			.filter((node) -> !Ensemble.SESSIONS.equals("/" + node))
			.map((node) -> URLDecoder.decode(node, StandardCharsets.UTF_8))
			.filter((name) -> name.startsWith(prefix))
			.map((name) -> name.substring(prefix.length())), pattern, after, most)));
	}

	private CompletableFuture<List<String>> nodesOfLocks() {
		Session session = this.ensemble.session();
		String root = this.settings.root();
		CompletableFuture<Integer> count = new CompletableFuture<>();
		session.client()
			.exists(root, false,
					(code, path, ctx, stat) -> session.answer(count, root, code, 0, () -> stat.getNumChildren()), null);
		return count.thenCompose((nodes) -> {
			if (nodes > MOST_NODES) {
				throw new UnsupportedOperationException("ZooKeeper has " + nodes + " nodes below '" + root
						+ "', and a list of locks may visit only " + MOST_NODES + ". Look at one lock by its name,"
						+ " without '*', or give each application its own lock.zookeeper.root");
			}
			CompletableFuture<List<String>> names = new CompletableFuture<>();
			session.client()
				.getChildren(root, false,
						(code, path, ctx, found) -> session.answer(names, root, code, List.of(), () -> found), null);
			return names;
		});
	}

	@Override
	public FailedCall failureOf(Throwable failure) {
		Throwable cause = StageFailure.cause(failure);
		boolean refused = cause instanceof NotExecutedException
				|| (cause instanceof KeeperException ex && !UNKNOWN_OUTCOME.contains(ex.code()));
		return refused ? FailedCall.REFUSED : FailedCall.UNKNOWN;
	}

	private @Nullable LockNode owner(LockAttempt attempt) {
		Session session = this.ensemble.session();
		LockNode node = this.nodes.get(attempt.id());
		return (node != null && node.isOf(session) && node.isOwner()) ? node : null;
	}

	private <T> CompletionStage<T> limited(CompletableFuture<T> reply) {
		return this.ensemble.current().limit(reply.copy());
	}

	/**
	 * Return the path of a lock. Names may contain characters that paths must not
	 * contain.
	 */
	private String path(String lock) {
		String name = URLEncoder.encode(this.settings.keyPrefix() + lock, StandardCharsets.UTF_8).replace("%3A", ":");
		return this.settings.root() + "/" + (name.matches("\\.\\.?") ? name.replace(".", "%2E") : name);
	}

	// ---- nodes

	void push(Consumer<LockPushes> message) {
		LockPushes pushes = this.pushes;
		if (pushes != null) {
			message.accept(pushes);
		}
	}

	long nanoTime() {
		return this.clock.nanoTime();
	}

	/** Return a time in microseconds since the store began. */
	long micros(long nanos) {
		return TimeUnit.NANOSECONDS.toMicros(nanos - this.originNanos);
	}

	/** Note that a node owns its lock. */
	void owned(LockNode node) {
		this.newOwners.add(node);
		if (this.observing.compareAndSet(false, true)) {
			this.clock.schedule(this.clock.nanoTime() + OBSERVED_AFTER_NANOS, this::observe);
		}
	}

	private void observe() {
		this.observing.set(false);
		for (LockNode node = this.newOwners.poll(); node != null; node = this.newOwners.poll()) {
			node.observe();
		}
	}

	/** Return the node of an attempt of this JVM. */
	@Nullable LockNode node(String attempt) {
		return this.nodes.get(attempt);
	}

	/** Forget a node that no longer exists. */
	void forget(LockNode node) {
		this.nodes.remove(node.attempt().id(), node);
		String lock = node.attempt().lock();
		long now = nanoTime();
		if (this.idle.put(lock, now) == null) {
			this.clock.schedule(now + IDLE_NANOS, () -> deleteIfIdle(lock));
		}
	}

	/**
	 * Delete the container of a lock that was not used for a while. The ensemble also
	 * deletes containers, but so slowly that containers accumulate if new names come
	 * faster. The ensemble refuses to delete a container that has nodes.
	 */
	private void deleteIfIdle(String lock) {
		Long released = this.idle.get(lock);
		if (released == null) {
			return;
		}
		if (released + IDLE_NANOS - nanoTime() > 0 || !this.idle.remove(lock, released)) {
			this.clock.schedule(released + IDLE_NANOS, () -> deleteIfIdle(lock));
		}
		else if (this.ensemble.isUsable()) {
			LockStore.call(() -> this.ensemble.session().delete(path(lock)));
		}
	}

	/** Delete all nodes of an attempt, and return whether there were any. */
	CompletableFuture<Boolean> delete(Session session, LockAttempt attempt) {
		return session.latestChildren(path(attempt.lock()))
			.thenCompose((all) -> delete(session, attempt.lock(),
					all.nodes().stream().filter((node) -> node.attempt().equals(attempt.id())).toList()));
	}

	private CompletableFuture<Boolean> delete(Session session, String lock, List<QueueNode> nodes) {
		CompletableFuture<Boolean> any = CompletableFuture.completedFuture(false);
		for (QueueNode node : nodes) {
			any = any.thenCombine(session.delete(path(lock) + "/" + node.name()), Boolean::logicalOr);
		}
		return any;
	}

	// ---- sessions

	@Override
	public void connected(Session session) {
		this.tokens.read(session);
		push(LockPushes::missed);
		this.nodes.values().forEach(LockNode::observe); // watches may be lost
	}

	@Override
	public void expired(Session session) {
		this.nodes.values().stream().filter((node) -> node.isOf(session)).toList().forEach((node) -> {
			forget(node);
			if (node.expire()) {
				push((pushes) -> pushes.expired(node.attempt().id()));
			}
		});
	}

	@Override
	public void callFailed(String lock) {
		this.ensemble.callFailed();
	}

	/** Close the connection. While a lock is held, the session is left to expire. */
	@Override
	public void close() {
		this.ensemble.close(this.nodes.values().stream().anyMatch(LockNode::isOwner));
	}

}
