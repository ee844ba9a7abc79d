package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.protocol.AcquireReply;
import io.github.lockboot.cache.protocol.Acquisition;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The callers of this JVM that miss one entry: one of them gets the right to load it, or
 * all wait for the load of another JVM. No thread of its own; it goes on when a reply, a
 * push or a timer comes. Thread-safe.
 * <p>
 * One rule keeps it right: <strong>a result serves only callers that joined before the
 * command that produced it was sent</strong>. Whoever joined later may have seen an evict
 * return meanwhile; they go on together with the next flight.
 */
final class SingleFlight {

	private static final byte[] NOTHING = new byte[0];

	/** After the end of a lease, so that Redis has deleted it for sure. */
	private static final long AFTER_LEASE_MILLIS = 10;

	/** How often to ask where Redis can't push. */
	private static final long POLL_MILLIS = 100;

	/** How many unreadable entries in a row are put up with. */
	private static final int MOST_TRIES = 5;

	private final SingleFlights flights;

	private final TypedCache cache;

	private final EntryKeys keys;

	/** Why Redis is not to be asked, or {@code null}. */
	private final @Nullable Throwable down;

	private final CompletableFuture<@Nullable Void> decided = new CompletableFuture<>();

	private final ReentrantLock mutex = new ReentrantLock();

	/** In the order in which they have joined. */
	private final List<Waiter> waiters;

	/** So many of the first waiters are served by the command under way. */
	private int served;

	private State state = State.ACTIVE;

	/** The last attempt to get the right to load. */
	private @Nullable String attempt;

	/** What a push asks for that has overtaken the reply. */
	private @Nullable Runnable early;

	private MonotonicClock.@Nullable Timer timer;

	private int tries;

	private volatile @Nullable Load load;

	SingleFlight(SingleFlights flights, TypedCache cache, EntryKeys keys, @Nullable Throwable down,
			List<Waiter> waiters) {
		this.flights = flights;
		this.cache = cache;
		this.keys = keys;
		this.down = down;
		this.waiters = new ArrayList<>(waiters);
		waiters.forEach((waiter) -> waiter.joined(this));
	}

	EntryKeys keys() {
		return this.keys;
	}

	/** Take in callers, unless the flight is over. */
	boolean join(List<Waiter> added) {
		return locked(() -> {
			if (this.state == State.OVER) {
				return false;
			}
			this.waiters.addAll(added);
			added.forEach((waiter) -> waiter.joined(this));
			return true;
		});
	}

	/** Done as soon as it is known who loads, and at the end. */
	CompletableFuture<?> decided() {
		return this.decided;
	}

	void loading(Load load) {
		this.load = load;
	}

	/** Whether this flight can't end before a load does that is about to wait for it. */
	boolean waitsFor(Load other, Set<Load> seen) {
		Load mine = this.load;
		return mine != null && mine.waitsFor(other, seen);
	}

	void start() {
		if (this.down != null) {
			fallBack(this.down);
		}
		else {
			acquire(null);
		}
	}

	/**
	 * Ask for the entry or for the right to load it.
	 * @param unreadable mark of an entry that can't be used, or {@code null}
	 */
	private void acquire(byte @Nullable [] unreadable) {
		Waiter leader = chooseLeader();
		if (leader == null || this.tries++ > MOST_TRIES) {
			end(null);
			return;
		}
		byte[] rejected = (unreadable != null) ? unreadable : leader.rejected();
		String id = this.flights.newAttempt();
		ask(id);
		// before it is sent: the answer may be pushed at once
		this.flights.expect(id, this);
		this.flights.store()
			.acquire(this.keys,
					new Acquisition(id, this.cache.settings().lease().toMillis(),
							(rejected != null) ? rejected : NOTHING, true, leader.view().seenMicros()))
			.whenComplete((reply, failure) -> {
				if (failure != null) {
					this.flights.forget(id);
					this.flights.giveBackUnknown(this.keys, id);
					fallBack(failure);
				}
				else {
					acquired(reply, id, leader);
				}
			});
	}

	private void ask(String id) {
		locked(() -> {
			this.state = State.ACTIVE;
			this.attempt = id;
			this.early = null;
			return true;
		});
	}

	private void acquired(AcquireReply reply, String id, Waiter leader) {
		if (reply instanceof AcquireReply.Taken taken) {
			awaitOther(id, taken);
			return;
		}
		this.flights.forget(id);
		if (reply instanceof AcquireReply.Present present) {
			use(present.entry());
		}
		else if (reply instanceof AcquireReply.Leased leased) {
			lead(leader, id, leased.graceMillis());
		}
		else {
			leader.complete(new Waiter.Bypass());
			acquire(null);
		}
	}

	/** End with an entry, or ask for another one if it can't be read. */
	private void use(byte[] entry) {
		byte[] mark = Envelope.mark(entry);
		Envelope envelope = isRejected(mark) ? null : this.cache.open(entry);
		if (envelope != null) {
			end(new Waiter.Entry(envelope, false));
			return;
		}
		this.flights.tell(this.cache, CacheEvent.UNREADABLE);
		acquire(mark);
	}

	private void lead(Waiter leader, String id, long graceMillis) {
		this.tries = 0;
		LoadLease lease = lease(id, graceMillis);
		if (leader.complete(new Waiter.ToLoad(this, lease, true))) {
			this.decided.complete(null);
			return;
		}
		// it has left meanwhile: another one shall
		lease.giveBack(Duration.ZERO);
		acquire(null);
	}

	private LoadLease lease(@Nullable String id, long graceMillis) {
		return new LoadLease(this.flights.store(), this.flights.clock(), this.cache, this.keys, id, graceMillis,
				() -> end(null))
			.start();
	}

	private void awaitOther(String id, AcquireReply.Taken taken) {
		this.tries = 0;
		this.decided.complete(null);
		long millis = taken.remainingMillis() + AFTER_LEASE_MILLIS;
		Duration atMost = Duration.ofMillis(taken.pushed() ? millis : Math.min(millis, POLL_MILLIS));
		Runnable next = null;
		this.mutex.lock();
		try {
			if (this.early != null) {
				next = this.early;
			}
			else {
				this.state = State.WAITING;
				this.timer = this.flights.clock().schedule(atMost, () -> askAgain(id));
			}
		}
		finally {
			this.mutex.unlock();
		}
		if (next != null) {
			this.flights.forget(id);
			next.run();
		}
		else if (isOverdue()) {
			hurry();
		}
	}

	/**
	 * A caller has waited for another JVM for long enough: one loads without a lease for
	 * all who have joined so far. While one of this JVM loads already, that load is
	 * waited for.
	 */
	void hurry() {
		if (stopWaiting(null)) {
			loadWithoutLease(false);
		}
	}

	/** The load of another JVM has ended, or may have ended unnoticed. */
	void askAgain(String id) {
		wake(id, () -> acquire(null));
	}

	/** Another JVM has stored the entry, after this attempt was sent. */
	void loaded(String id, byte[] entry) {
		wake(id, () -> use(entry));
	}

	private void wake(String id, Runnable next) {
		boolean isEarly = locked(() -> {
			boolean unanswered = this.state == State.ACTIVE && id.equals(this.attempt);
			this.early = unanswered ? next : this.early;
			return unanswered;
		});
		if (!isEarly && stopWaiting(id)) {
			next.run();
		}
	}

	/** Wait for another JVM no more; true for one caller only. */
	private boolean stopWaiting(@Nullable String id) {
		return locked(() -> {
			String waiting = this.attempt;
			if (this.state != State.WAITING || waiting == null || (id != null && !id.equals(waiting))) {
				return false;
			}
			this.state = State.ACTIVE;
			this.attempt = null;
			this.flights.forget(waiting);
			if (this.timer != null) {
				this.timer.cancel();
			}
			return true;
		});
	}

	/**
	 * Go on without Redis: one loads for all, and nothing is stored. Those whose view of
	 * the data may be old load for themselves. A Redis that works may be told of an evict
	 * during the load, so that it does not serve those who come later.
	 */
	private void fallBack(Throwable failure) {
		this.flights.tell(this.cache, CacheEvent.REDIS_FAILED);
		if (this.cache.settings().onRedisError() == OnRedisError.FAIL) {
			cut();
			end(new Waiter.Unavailable(failure));
			return;
		}
		loadWithoutLease(!this.flights.store().isAnswer(failure));
	}

	/**
	 * Let one waiter load.
	 * @param forLater whether those who join during the load share its value
	 */
	private void loadWithoutLease(boolean forLater) {
		bypass((waiter) -> waiter.view().seenMicros() != null);
		LoadLease lease = lease(null, 0);
		Waiter leader = chooseLeader();
		while (leader != null && !leader.complete(new Waiter.ToLoad(this, lease, forLater))) {
			leader = chooseLeader();
		}
		if (leader == null) {
			leave(lease);
		}
		this.decided.complete(null);
	}

	/**
	 * Store what a waiter has loaded. All who have joined so far get it if that succeeds;
	 * if not, it was evicted meanwhile for all one knows, and they look again.
	 * @return done once that is known
	 */
	CompletableFuture<?> store(LoadLease lease, Envelope envelope, long lifeMillis) {
		cut();
		return lease.store(envelope.bytes(), lifeMillis).handle((stored, failure) -> {
			this.flights.tellStore(this.cache, stored, failure);
			end(Boolean.TRUE.equals(stored) ? new Waiter.Entry(envelope, true) : null);
			return stored;
		});
	}

	/**
	 * Share a value that is not stored, unless it was evicted meanwhile.
	 * @param forLater whether to share it with those who have joined during the load
	 * @return done once that is known
	 */
	CompletableFuture<?> share(LoadLease lease, @Nullable Object value, boolean forLater) {
		if (forLater) {
			cut();
		}
		return lease.giveBack(Duration.ZERO).handle((current, failure) -> {
			end(Boolean.TRUE.equals(current) ? new Waiter.Value(value) : null);
			return current;
		});
	}

	/** Share the failure of a load with all who have joined so far. */
	void fail(LoadLease lease, Throwable failure) {
		lease.giveBack(Duration.ZERO);
		cut();
		end(new Waiter.Failure(failure));
	}

	/** Give the right to load back: all look again. */
	void leave(LoadLease lease) {
		lease.giveBack(Duration.ZERO);
		end(null);
	}

	/** Whether a waiter can't use an entry. */
	private boolean isRejected(byte[] mark) {
		return any((waiter) -> Arrays.equals(waiter.rejected(), mark));
	}

	private boolean isOverdue() {
		return any(Waiter::isOverdue);
	}

	private boolean any(Predicate<Waiter> which) {
		return locked(() -> this.waiters.stream().anyMatch(which));
	}

	/** Let those who have joined so far be served by the command that is sent next. */
	private void cut() {
		locked(() -> this.served = this.waiters.size());
	}

	/** Cut, and return the first who waits and whose view is not outdated. */
	private @Nullable Waiter chooseLeader() {
		bypass((waiter) -> waiter.view().outdated());
		this.mutex.lock();
		try {
			this.waiters.removeIf((waiter) -> !waiter.isWaiting());
			this.served = this.waiters.size();
			return this.waiters.isEmpty() ? null : this.waiters.get(0);
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Let some load for themselves. */
	private void bypass(Predicate<Waiter> which) {
		List<Waiter> some = locked(() -> {
			List<Waiter> found = this.waiters.stream().filter(which).toList();
			this.waiters.removeAll(found);
			this.served = Math.min(this.served, this.waiters.size());
			return found;
		});
		some.forEach((waiter) -> waiter.complete(new Waiter.Bypass()));
	}

	/**
	 * End the flight; whoever is not served goes on with the next.
	 * @param outcome the result of the last command, or {@code null} if it serves nobody
	 */
	private void end(Waiter.@Nullable Outcome outcome) {
		List<Waiter> ended;
		List<Waiter> later;
		this.mutex.lock();
		try {
			if (this.state == State.OVER) {
				return;
			}
			this.state = State.OVER;
			int line = (outcome != null) ? this.served : 0;
			ended = List.copyOf(this.waiters.subList(0, line));
			later = this.waiters.stream().skip(line).filter(Waiter::isWaiting).toList();
		}
		finally {
			this.mutex.unlock();
		}
		this.flights.ended(this, later);
		if (outcome != null) {
			ended.forEach((waiter) -> waiter.complete(outcome));
		}
		this.decided.complete(null);
	}

	private <V> V locked(Supplier<V> step) {
		this.mutex.lock();
		try {
			return step.get();
		}
		finally {
			this.mutex.unlock();
		}
	}

	TypedCache cache() {
		return this.cache;
	}

	@Nullable Throwable down() {
		return this.down;
	}

	/**
	 * A run of a loader, and the calls in it that wait for others: so two loads are seen
	 * that would wait for each other.
	 */
	static final class Load {

		private final @Nullable Load outer;

		private final Set<Waiter> waiting = ConcurrentHashMap.newKeySet();

		/**
		 * Create a load.
		 * @param outer the load that this one is a part of
		 */
		Load(@Nullable Load outer) {
			this.outer = outer;
		}

		/** Note that a caller waits; false if it would wait for itself. */
		boolean mayWait(Waiter waiter) {
			this.waiting.add(waiter);
			waiter.outcome().thenRun(() -> this.waiting.remove(waiter));
			boolean outerMay = this.outer == null || this.outer.mayWait(waiter);
			// noted before: of two that begin to wait for each other one sees it
			return outerMay && !waiter.waitsFor(this, new HashSet<>());
		}

		private boolean waitsFor(Load other, Set<Load> seen) {
			return this == other
					|| (seen.add(this) && this.waiting.stream().anyMatch((waiter) -> waiter.waitsFor(other, seen)));
		}

	}

	/**
	 * How far a flight is.
	 */
	private enum State {

		/** A command or a load of this JVM is under way. */
		ACTIVE,

		/** Another JVM loads. */
		WAITING,

		/** Nobody joins any more. */
		OVER

	}

}
