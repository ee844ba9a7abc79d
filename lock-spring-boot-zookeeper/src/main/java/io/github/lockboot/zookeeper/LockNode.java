package io.github.lockboot.zookeeper;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * The node of an attempt in the queue of its lock. The node is ephemeral, and so ends
 * with the session at the latest. The first node owns the lock. Any other node watches a
 * single node, the one before it for which it has to wait, so that a release wakes one
 * waiter.
 * <p>
 * The ensemble executes the requests of a session in their order, and all its replies and
 * events arrive on one thread; only this thread lets a node own its lock.
 * <p>
 * The queue of ephemeral sequential nodes is that of Hunt, Konar, Junqueira, Reed:
 * ZooKeeper: Wait-free coordination for Internet-scale systems, USENIX ATC 2010.
 */
final class LockNode implements Session.Watching {

	/**
	 * The number of leases after which a renewal reads the queue again, which takes a
	 * request for each lock.
	 */
	private static final int LEASES_BETWEEN_LOOKS = 10;

	private final ZookeeperLockStore store;

	private final Session session;

	private final LockAttempt attempt;

	private final NodeData data;

	/** The path of the lock, below which its nodes are created. */
	private final String lockPath;

	/** The beginning of the names of the nodes of the attempt. */
	private final String prefix;

	private final AtomicReference<State> state = new AtomicReference<>(State.QUEUED);

	/**
	 * The node once it is created; fails if it is unknown whether the node was created.
	 */
	private final AtomicReference<CompletableFuture<Session.Created>> created = new AtomicReference<>(
			new CompletableFuture<>());

	private volatile @Nullable Blocker blocker;

	/** The connection in which this node is watched while it queues, -1 for none. */
	private volatile int watched = -1;

	/** Whether this node has been the first one of the queue. */
	private volatile boolean first;

	private volatile boolean shared;

	private volatile long token;

	private volatile long seenToken;

	private volatile long waiting;

	/** Whether it is only assumed that another attempt waits. */
	private volatile boolean assumed;

	/** When a renewal has to read the queue again. */
	private volatile long observeNanos;

	LockNode(ZookeeperLockStore store, Session session, LockAttempt attempt, long seenToken, String lockPath,
			NodeData data) {
		this.store = store;
		this.session = session;
		this.attempt = attempt;
		this.seenToken = seenToken;
		this.lockPath = lockPath;
		this.data = data;
		this.shared = attempt.permits() > 1;
		this.prefix = QueueNode.prefix(attempt.id(), session.number(), this.shared);
	}

	LockAttempt attempt() {
		return this.attempt;
	}

	boolean isOf(Session session) {
		return this.session == session;
	}

	boolean isQueued() {
		return this.state.get() == State.QUEUED;
	}

	boolean isOwner() {
		return this.state.get() == State.OWNER;
	}

	// ---- acquiring

	/** Create the node, and acquire the lock or queue for it. */
	CompletableFuture<AcquireReply> enter(boolean mayQueue) {
		return create().whenComplete(this::failIfNotCreated).thenCompose((nodes) -> evaluate(nodes, mayQueue, true));
	}

	/**
	 * Create the node and list all nodes, with requests that are sent together. A name
	 * that nobody uses has no container, and the root may have been deleted; another
	 * request may create the container, and it may be deleted since.
	 */
	private CompletableFuture<QueueNodes> create() {
		Supplier<CompletionStage<QueueNodes>> withPath = () -> this.session
			.createPath(this.lockPath, new byte[0], CreateMode.CONTAINER)
			.thenCompose((created) -> createWithContainer());
		return createWithContainer().exceptionallyCompose(Session.on(Set.of(Code.NONODE, Code.NODEEXISTS), withPath));
	}

	private CompletableFuture<QueueNodes> createWithContainer() {
		return tryCreate(false).exceptionallyCompose(Session.on(Set.of(Code.NONODE), () -> tryCreate(true)));
	}

	private CompletableFuture<QueueNodes> tryCreate(boolean container) {
		long sentNanos = this.store.nanoTime();
		String path = this.lockPath + "/" + this.prefix;
		CompletableFuture<Session.Created> created = container
				? this.session.createInContainer(this.lockPath, path, this.data.bytes(),
						CreateMode.EPHEMERAL_SEQUENTIAL)
				: this.session.create(path, this.data.bytes(), CreateMode.EPHEMERAL_SEQUENTIAL);
		CompletableFuture<QueueNodes> listed = this.session.children(this.lockPath);
		return created.thenCompose((node) -> created(sentNanos, node, listed));
	}

	private CompletableFuture<QueueNodes> created(long sentNanos, Session.Created node,
			CompletableFuture<QueueNodes> listed) {
		this.session.proven(sentNanos);
		node().complete(node);
		if (this.state.get() == State.RELEASED) {
			this.session.delete(node.path());
		}
		return listed;
	}

	/**
	 * Acquire the lock or confirm that the node queues. A write proves that the session
	 * is alive.
	 */
	CompletableFuture<AcquireReply> again(long seenToken, boolean mayQueue) {
		if (this.state.get() == State.RELEASED) {
			// the node remains if its deletion has failed
			return release().thenCompose((released) -> CompletableFuture
				.failedFuture(new NotExecutedException("The node of the attempt was released")));
		}
		this.seenToken = Math.max(this.seenToken, seenToken);
		CompletableFuture<Void> heartbeat = this.session.heartbeat();
		CompletableFuture<Session.Created> created = node();
		return created
			.handle((node, failure) -> (failure == null) ? this.session.children(this.lockPath) : recover(created))
			.thenCompose((nodes) -> nodes)
			.thenCombine(heartbeat, (nodes, written) -> nodes)
			.thenCompose((nodes) -> evaluate(nodes, mayQueue, false));
	}

	/** Find the node, or create it, after a request without a reply. */
	private CompletableFuture<QueueNodes> recover(CompletableFuture<Session.Created> failed) {
		if (!this.created.compareAndSet(failed, new CompletableFuture<>())) {
			// another request does so
			return node().thenCompose((node) -> this.session.children(this.lockPath));
		}
		return this.session.latestChildren(this.lockPath).thenCompose((nodes) -> {
			List<QueueNode> mine = nodes.startingWith(this.prefix);
			if (mine.isEmpty()) {
				return create();
			}
			mine.stream().skip(1).forEach((node) -> this.session.delete(this.lockPath + "/" + node.name()));
			String path = this.lockPath + "/" + mine.get(0).name();
			return this.session.data(path, false)
				.thenCompose((content) -> created(this.session.provenNanos(), new Session.Created(path, content.id()),
						CompletableFuture.completedFuture(nodes)));
		}).whenComplete(this::failIfNotCreated);
	}

	private CompletableFuture<Session.Created> node() {
		return Objects.requireNonNull(this.created.get());
	}

	private void failIfNotCreated(@Nullable QueueNodes nodes, @Nullable Throwable failure) {
		if (failure != null) {
			node().completeExceptionally(failure);
		}
	}

	/** Own the lock if the nodes before this one allow it, or wait for one of them. */
	private CompletableFuture<AcquireReply> evaluate(QueueNodes all, boolean mayQueue, boolean fresh) {
		return (this.shared ? this.session.withOwnersWish(this.lockPath, all) : CompletableFuture.completedFuture(all))
			.thenCompose((nodes) -> decide(nodes, mayQueue, fresh));
	}

	private CompletableFuture<AcquireReply> evaluateAgain(boolean mayQueue, boolean fresh) {
		return this.session.children(this.lockPath).thenCompose((nodes) -> evaluate(nodes, mayQueue, fresh));
	}

	private CompletableFuture<AcquireReply> decide(QueueNodes nodes, boolean mayQueue, boolean fresh) {
		int place = nodes.placeOf(name());
		if (place < 0) {
			deleted();
			return CompletableFuture.failedFuture(new NotExecutedException("The node " + path() + " was deleted"));
		}
		QueueNode blocker = nodes.blocker(place, this.shared);
		if (blocker == null && !isTokenAboveSeen()) {
			return this.store.tokens()
				.raise(this.session, id(), this.seenToken)
				.thenCompose((raised) -> evaluateAgain(mayQueue, fresh));
		}
		if (blocker == null) {
			return (place == 0) ? own(nodes, 0, this.store.tokens().first(id())) : join(nodes, place);
		}
		if (blocker.attempt().equals(this.attempt.id())) {
			// of a session that has expired
			this.session.delete(this.lockPath + "/" + blocker.name());
		}
		if (fresh && !mayQueue) {
			return release().thenApply((released) -> busy());
		}
		waitBehind(blocker, place == 1);
		return CompletableFuture.completedFuture(mayQueue ? queued() : busy());
	}

	/** Somebody has deleted the node: the next request creates another one. */
	private void deleted() {
		if (this.state.compareAndSet(State.QUEUED, State.RELEASED)) {
			unwatchBlocker();
		}
		this.store.forget(this);
	}

	private void waitBehind(QueueNode blocker, boolean next) {
		String path = this.lockPath + "/" + blocker.name();
		LockNode before = this.store.node(blocker.attempt());
		if (before == null || !before.isOf(this.session) || !before.isAt(path)) {
			before = null;
		}
		else {
			before.waiting = Math.max(before.waiting, 1);
		}
		Blocker waited = new Blocker(path, next, before);
		await(waited);
		if (waited.mayBeLast(this.shared) && !isWatched()) {
			watch();
		}
	}

	/**
	 * Return whether a path is that of this node, and not that of a request without a
	 * reply.
	 */
	private boolean isAt(String path) {
		CompletableFuture<Session.Created> created = node();
		return created.isDone() && !created.isCompletedExceptionally() && created.join().path().equals(path);
	}

	/**
	 * Return the reply for a busy lock. The session of an owner that dies lasts no longer
	 * than its timeout.
	 */
	private AcquireReply busy() {
		return new AcquireReply.Busy(this.data.leaseMillis());
	}

	AcquireReply queued() {
		return new AcquireReply.Queued(this.data.leaseMillis(), this.store.micros(this.session.provenNanos()), false);
	}

	/**
	 * Share the lock. All attempts that share a lock have one token, which is that of the
	 * first one.
	 */
	private CompletableFuture<AcquireReply> join(QueueNodes nodes, int place) {
		return this.session.data(this.lockPath + "/" + nodes.owner().name(), false).thenCompose((owner) -> {
			long token = (owner.data().token() > 0) ? owner.data().token() : this.store.tokens().first(owner.id());
			return this.session.setData(path(), this.data.withToken(token, false).bytes())
				.thenCompose((written) -> own(nodes, place, token));
		}).exceptionallyCompose(Session.on(Set.of(Code.NONODE), () -> evaluateAgain(true, false)));
	}

	private CompletableFuture<AcquireReply> own(QueueNodes nodes, int place, long token) {
		if (this.state.compareAndSet(State.QUEUED, State.OWNER)) {
			this.token = Math.max(token, this.shared ? this.seenToken : this.seenToken + 1);
			this.waiting = Math.max(this.waiting, nodes.isEmpty() ? 0 : nodes.waitingBehind(place));
			this.first = place == 0;
			this.blocker = null;
			this.observeNanos = this.store.nanoTime();
			this.store.owned(this);
		}
		return CompletableFuture
			.completedFuture(isOwner() ? new AcquireReply.Owned(this.token, reservedToken(), this.waiting) : busy());
	}

	private long reservedToken() {
		return TokenOffset.last(this.token, this.shared);
	}

	// ---- waiting

	private void await(Blocker blocker) {
		Blocker former = this.blocker;
		String path = blocker.path();
		this.blocker = blocker;
		if (former != null && former.path().equals(path)) {
			return;
		}
		this.session.watch(path, this);
		if (!isQueued()) { // released meanwhile: the node before it may remain for weeks
			this.session.unwatch(path, this);
			return;
		}
		this.session.data(path, true).whenComplete((content, failure) -> {
			if (failure != null) {
				this.session.unwatch(path, this);
				if (Session.is(failure, Code.NONODE)) {
					changed(path, true);
				}
				else {
					this.blocker = null; // the engine repeats its request
				}
			}
			else if (this.shared && content.data().shared()) { // meanwhile
				this.session.unwatch(path, this);
				changed(path, false);
			}
		});
	}

	/**
	 * Watch this node, so that this node owns the lock at the end of the last node before
	 * it, without another request. Both events come in the order in which the nodes were
	 * deleted, until the connection is lost.
	 */
	private void watch() {
		String path = path();
		int connection = this.session.connection();
		this.session.watch(path, this);
		this.session.data(path, true).whenComplete((content, failure) -> {
			if (failure == null) {
				this.watched = connection;
			}
			else {
				this.session.unwatch(path, this);
			}
		});
	}

	boolean isWatched() {
		return this.watched == this.session.connection();
	}

	@Override
	public void changed(String path, boolean deleted) {
		if (isOwner()) {
			observe();
			return;
		}
		Blocker blocker = this.blocker;
		if (isQueued() && isAt(path)) {
			this.watched = -1;
			if (deleted) {
				deleted();
			}
		}
		else if (isQueued() && blocker != null && path.equals(blocker.path())) {
			this.blocker = null;
			push((deleted && blocker.isLast(this.shared)) ? ownAsNext() : evaluateAgain(true, false));
		}
	}

	private void unwatchBlocker() {
		Blocker blocker = this.blocker;
		if (blocker != null) {
			this.session.unwatch(blocker.path(), this);
		}
	}

	/**
	 * Own the lock after the last node before this one, if this node exists. The queue is
	 * not listed, so that it is unknown who waits.
	 */
	private CompletableFuture<AcquireReply> ownAsNext() {
		if (!isWatched()) {
			return this.session.data(path(), false).thenCompose((content) -> ownUnlisted());
		}
		return ownUnlisted();
	}

	private CompletableFuture<AcquireReply> ownUnlisted() {
		if (!isTokenAboveSeen()) {
			return evaluateAgain(true, false);
		}
		this.assumed = this.waiting == 0;
		this.waiting = Math.max(this.waiting, 1);
		return own(QueueNodes.NONE, 0, this.store.tokens().first(id()));
	}

	private void push(CompletableFuture<AcquireReply> reply) {
		reply.thenAccept((outcome) -> {
			if (outcome instanceof AcquireReply.Owned owned) {
				LockPushes.Grant grant = new LockPushes.Grant(this.attempt, owned.token(), owned.reserved(),
						this.store.micros(this.session.provenNanos()), owned.queued());
				this.store.push((pushes) -> pushes.granted(grant));
			}
		});
	}

	// ---- owning

	/**
	 * Check whether others wait, and leave a watch for the next waiter, or for the end of
	 * this node if others already wait. The check is repeated once the connection is
	 * restored, and by a renewal from time to time: a watch that was never left, or is
	 * lost, would break mutual exclusion.
	 */
	void observe() {
		if (!isOwner()) {
			return;
		}
		long sentNanos = this.store.nanoTime();
		boolean awaited = this.waiting > 0 && !this.assumed;
		String path = awaited ? path() : this.lockPath;
		this.session.watch(path, this);
		if (awaited) {
			this.session.data(path, true).whenComplete((content, failure) -> {
				observed(path, sentNanos, failure);
				takenIf(failure != null && Session.is(failure, Code.NONODE));
			});
			return;
		}
		this.session.children(path, true).whenComplete((nodes, failure) -> {
			observed(path, sentNanos, failure);
			if (failure != null) {
				return;
			}
			int place = nodes.placeOf(name());
			takenIf(place < 0);
			this.waiting = (place < 0) ? 0 : nodes.waitingBehind(place);
			this.assumed = false;
			if (this.waiting > 0 && isOwner()) {
				this.store.push((pushes) -> pushes.queuedBehind(this.attempt.id()));
				observe();
			}
		});
	}

	private void observed(String path, long sentNanos, @Nullable Throwable failure) {
		if (failure == null) {
			this.observeNanos = sentNanos
					+ TimeUnit.MILLISECONDS.toNanos(this.data.leaseMillis() * LEASES_BETWEEN_LOOKS);
		}
		if (failure != null || !isOwner()) {
			this.session.unwatch(path, this);
		}
	}

	/** Lose the lock if the node was deleted by somebody else. */
	void takenIf(boolean taken) {
		if (taken && this.state.compareAndSet(State.OWNER, State.RELEASED)) {
			this.store.forget(this);
			this.store.push((pushes) -> pushes.taken(this.attempt.id()));
		}
	}

	/** Return whether the node owned the lock until the session ended. */
	boolean expire() {
		return this.state.getAndSet(State.RELEASED) == State.OWNER;
	}

	/** Renew the lease together with other leases that are due soon. */
	CompletableFuture<RenewReply> renew(long leaseMillis) {
		if (this.store.nanoTime() - this.observeNanos >= 0) {
			observe();
		}
		return this.session.renew(leaseMillis)
			.thenApply((written) -> isOwner() ? new RenewReply.Renewed(reservedToken(), this.waiting)
					: new RenewReply.NotOwner());
	}

	CompletableFuture<RenewReply> downgrade(long usedToken) {
		long token = (usedToken > 0) ? usedToken : this.token;
		NodeData sharing = this.data.withToken(token, true);
		return this.session.setData(path(), sharing.bytes()).thenApply((written) -> {
			this.shared = true;
			this.token = token;
			return new RenewReply.Renewed(token, this.waiting);
		});
	}

	// ---- the end

	/** Delete the node. A request for its creation may be under way. */
	CompletableFuture<ReleaseReply> release() {
		boolean owner = this.state.getAndSet(State.RELEASED) == State.OWNER;
		unwatchBlocker();
		if (owner) {
			this.session.unwatch(this.lockPath, this);
		}
		return node()
			.handle((node, failure) -> (failure == null) ? this.session.delete(node.path())
					: this.store.delete(this.session, this.attempt))
			.thenCompose((deleted) -> deleted)
			.thenApply((deleted) -> {
				this.store.forget(this);
				return (owner && deleted) ? ReleaseReply.RELEASED : ReleaseReply.NOT_OWNER;
			});
	}

	private boolean isTokenAboveSeen() {
		return this.store.tokens().isAbove(id(), this.seenToken);
	}

	private long id() {
		return node().join().id();
	}

	private String path() {
		return node().join().path();
	}

	private String name() {
		return path().substring(this.lockPath.length() + 1);
	}

	/**
	 * The node for which another node waits.
	 *
	 * @param sole whether the node was the only one before the other node
	 * @param node the node itself if it belongs to the same session
	 */
	private record Blocker(String path, boolean sole, @Nullable LockNode node) {

		/** Return whether this node may be the last one before the waiting node. */
		boolean mayBeLast(boolean shared) {
			return this.sole || (!shared && this.node != null);
		}

		/**
		 * Return whether no other node is before the waiting node once this node has
		 * ended.
		 */
		boolean isLast(boolean shared) {
			return this.sole || (!shared && this.node != null && this.node.first);
		}

	}

	private enum State {

		QUEUED, OWNER, RELEASED

	}

}
