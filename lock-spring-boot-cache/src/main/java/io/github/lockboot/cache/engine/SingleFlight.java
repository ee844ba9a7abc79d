package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.engine.Load.LoadLease;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore.AcquireReply;
import io.github.lockboot.cache.protocol.CacheStore.Acquisition;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The callers of this JVM that miss one entry: one of them, the leader, loads the entry,
 * or all wait for the load of another JVM. A flight has no thread of its own: replies,
 * pushes and timers drive it. Thread-safe.
 * <p>
 * One rule keeps a flight correct: <strong>a result serves only callers that joined
 * before the command that produced it was sent</strong>. A caller that joined later may
 * have seen an evict return in between; it joins the next flight.
 */
final class SingleFlight {

	private static final byte[] NOTHING = new byte[0];

	/** Added to the time of a lease, so that Redis has certainly deleted the lease. */
	private static final long AFTER_LEASE_MILLIS = 10;

	/** How much later a JVM asks that has only just begun to wait. */
	private static final long MAX_YIELD_MILLIS = 50;

	/** Shortest time for which no JVM loads after a failed load. */
	private static final long MIN_PAUSE_MILLIS = 10;

	private static final long MAX_PAUSE_MILLIS = 1000;

	/** Interval between two attempts where Redis cannot push. */
	private static final long POLL_MILLIS = 100;

	private final SingleFlights flights;

	private final TypedCache cache;

	private final EntryKeys keys;

	private final long startNanos;

	private final CompletableFuture<@Nullable Void> decided = new CompletableFuture<>();

	private final ReentrantLock mutex = new ReentrantLock();

	/** The callers, in the order in which they joined. */
	private final List<Caller> callers = new ArrayList<>();

	/** Number of the first callers that the present command serves. */
	private int served;

	/** Whether Redis was asked for the entry, or for the right to load it. */
	private boolean usesRedis;

	private boolean over;

	/**
	 * Completes when the load of another JVM has ended, or may have ended; cancelled to
	 * stop waiting.
	 */
	private volatile @Nullable CompletableFuture<byte @Nullable []> otherLoad;

	private volatile @Nullable LoadLease lease;

	private volatile @Nullable Load load;

	/** Create a flight, which callers join before it is started. */
	SingleFlight(SingleFlights flights, TypedCache cache, EntryKeys keys) {
		this.flights = flights;
		this.cache = cache;
		this.keys = keys;
		this.startNanos = flights.store().clock().nanoTime();
	}

	/** Add callers, and return false if the flight is over or not for one of them. */
	boolean join(List<Caller> added) {
		return locked(() -> {
			if (this.over || (this.usesRedis && added.stream().anyMatch((caller) -> caller.request.evicting()))) {
				return false;
			}
			added.forEach((caller) -> caller.flight = this);
			return this.callers.addAll(added);
		});
	}

	void loading(Load load) {
		this.load = load;
	}

	LoadLease lease() {
		return Objects.requireNonNull(this.lease, "Only the leader has a lease");
	}

	/** Return whether this JVM loads while another may store the entry. */
	boolean isWithoutLease() {
		LoadLease lease = this.lease;
		return lease != null && !lease.mayStore();
	}

	/** Start the flight, with Redis if at least one caller could and each may use it. */
	void start() {
		locked(() -> this.usesRedis = !any((caller) -> caller.request.evicting())
				&& any((caller) -> caller.request.redisFailure() == null));
		if (this.usesRedis) {
			acquire(null);
		}
		else {
			fallBack(locked(() -> this.callers.stream()
				.map((caller) -> caller.request.redisFailure())
				.filter(Objects::nonNull)
				.findFirst()
				.orElseThrow()));
		}
	}

	/**
	 * Request the entry or the right to load it.
	 * @param unreadable mark of an entry that cannot be used, or {@code null}
	 */
	private void acquire(byte @Nullable [] unreadable) {
		Caller leader = chooseLeader();
		if (leader == null) {
			end(null);
			return;
		}
		byte[] rejected = (unreadable != null) ? unreadable : leader.request.rejected();
		String attempt = this.flights.store().newAttempt();
		// before the command is sent: the push may overtake the reply
		CompletableFuture<byte @Nullable []> push = this.flights.expectPush(attempt);
		this.flights.store()
			.acquire(this.keys,
					new Acquisition(attempt, this.cache.leaseMillis(), (rejected != null) ? rejected : NOTHING, true,
							leader.request.seenMicros()))
			.whenComplete((reply, failure) -> {
				if (reply instanceof AcquireReply.Taken taken) {
					awaitOther(attempt, taken, push);
					return;
				}
				this.flights.forgetPush(attempt);
				if (failure != null) {
					this.flights.releaseUnknown(this.keys, attempt);
					fallBack(failure);
				}
				else {
					acquired(reply, leader);
				}
			});
	}

	private void acquired(AcquireReply reply, Caller leader) {
		if (reply instanceof AcquireReply.Present present) {
			use(present.entry());
		}
		else if (reply instanceof AcquireReply.Leased leased) {
			LoadLease lease = newLease(leased);
			if (leader.complete(new Leader(this))) {
				this.decided.complete(null);
				return;
			}
			// the leader has left in the meantime
			lease.release(Duration.ZERO);
			acquire(null);
		}
		else {
			leader.complete(new Leader(null));
			acquire(null);
		}
	}

	/** End with an entry, or request another one if the entry cannot be read. */
	private void use(byte[] entry) {
		byte[] mark = Envelope.mark(entry);
		Envelope envelope = any((caller) -> Arrays.equals(caller.request.rejected(), mark)) ? null
				: this.cache.open(entry);
		if (envelope != null) {
			end(new Found(envelope, false));
			return;
		}
		this.cache.report(CacheEvent.UNREADABLE);
		acquire(mark);
	}

	private LoadLease newLease(AcquireReply.@Nullable Leased granted) {
		LoadLease lease = new LoadLease(this.flights.store(), this.cache, this.keys, granted, () -> end(null));
		this.lease = lease;
		return lease.start();
	}

	/**
	 * Wait for the load of another JVM.
	 * @param push completes with the entry that the other JVM has stored, or with
	 * {@code null} if this JVM has to read the entry; may be complete already
	 */
	private void awaitOther(String attempt, AcquireReply.Taken taken, CompletableFuture<byte @Nullable []> push) {
		this.decided.complete(null);
		long waitedNanos = this.flights.store().clock().nanoTime() - this.startNanos;
		long millis = retryMillis(taken.remainingMillis(), TimeUnit.NANOSECONDS.toMillis(waitedNanos));
		MonotonicClock.Timer timer = this.flights.store()
			.clock()
			.schedule(Duration.ofMillis(taken.pushed() ? millis : Math.min(millis, POLL_MILLIS)),
					() -> push.complete(null));
		this.otherLoad = push;
		push.whenComplete((entry, cancelled) -> {
			timer.cancel();
			this.flights.forgetPush(attempt);
			if (cancelled != null) {
				loadWithoutLease();
			}
			else if (entry != null) {
				use(entry);
			}
			else {
				acquire(null);
			}
		});
		if (any(Caller::isOverdue)) {
			waitEnded();
		}
	}

	/**
	 * Return when to ask again for a lease that is not released before. Of several JVMs
	 * the one that has waited longest asks first: otherwise one JVM might run each load
	 * that fails, while the callers of the others wait for all these loads.
	 */
	static long retryMillis(long leaseMillis, long waitedMillis) {
		long yieldMillis = Math.min(leaseMillis / 10, MAX_YIELD_MILLIS);
		return leaseMillis + AFTER_LEASE_MILLIS + yieldMillis * leaseMillis / (leaseMillis + waitedMillis + 1);
	}

	/**
	 * Called when the wait time of a caller has ended: one caller loads without a lease
	 * for all that have joined so far, unless a load runs in this JVM already.
	 */
	void waitEnded() {
		CompletableFuture<byte @Nullable []> awaited = this.otherLoad;
		if (awaited != null) {
			awaited.cancel(false);
		}
	}

	/** Continue without Redis: one caller loads for all, and nothing is stored. */
	private void fallBack(Throwable failure) {
		this.cache.report(CacheEvent.REDIS_FAILED);
		if (this.cache.settings().onRedisError() == OnRedisError.FAIL) {
			serveAllSoFar();
			end(new Failure(new CacheUnavailableException(this.cache.name(),
					String.valueOf(CacheKeys.find(this.cache.name(), this.keys.data())), failure), false));
			return;
		}
		loadWithoutLease();
	}

	/**
	 * Let one caller load for all that have joined so far: for later callers no lease
	 * tells whether another JVM evicts during the load. Callers in a transaction, whose
	 * view of the data may be old, load for themselves.
	 */
	private void loadWithoutLease() {
		bypass((caller) -> caller.request.seenMicros() != null);
		newLease(null);
		Caller leader = chooseLeader();
		while (leader != null && !leader.complete(new Leader(this))) {
			leader = chooseLeader();
		}
		if (leader == null) {
			leave();
		}
		this.decided.complete(null);
	}

	/**
	 * Store the entry that the leader has loaded. All callers that have joined so far
	 * receive the entry, unless it was evicted in the meantime: then they read again.
	 * @return a future that completes when the callers have their results
	 */
	CompletableFuture<?> store(Envelope envelope, long lifeMillis) {
		serveAllSoFar();
		return lease().store(envelope, lifeMillis)
			.thenAccept((stored) -> end(stored ? new Found(envelope, true) : null));
	}

	/**
	 * Share a value that is not stored, unless the entry was evicted in the meantime.
	 * @param current returns whether no tag was evicted in the meantime: perhaps its own
	 * @return a future that completes when the callers have their results
	 */
	CompletableFuture<?> share(@Nullable Object value, BooleanSupplier current) {
		if (lease().mayStore()) {
			serveAllSoFar();
		}
		return lease().release(Duration.ZERO).handle((held, failure) -> {
			end((Boolean.TRUE.equals(held) && current.getAsBoolean()) ? new Value(value) : null);
			return held;
		});
	}

	/**
	 * Share the failure of the load with all callers that have joined so far. No JVM
	 * loads again for as long as the load took, within limits.
	 */
	void fail(Throwable failure) {
		long tookMillis = (this.load != null) ? TimeUnit.NANOSECONDS.toMillis(this.load.tookNanos()) : 0;
		lease().release(Duration.ofMillis(Math.min(Math.max(tookMillis, MIN_PAUSE_MILLIS), MAX_PAUSE_MILLIS)));
		serveAllSoFar();
		end(new Failure(failure, true));
	}

	/** Called when the leader does not load: all others look again. */
	void leave() {
		// the lease is released already, perhaps with a pause
		if (locked(() -> this.over)) {
			return;
		}
		lease().release(Duration.ZERO);
		end(null);
	}

	private boolean any(Predicate<Caller> condition) {
		return locked(() -> this.callers.stream().anyMatch(condition));
	}

	/** Let the next command serve all callers that have joined so far. */
	private void serveAllSoFar() {
		locked(() -> this.served = this.callers.size());
	}

	/**
	 * Return the first caller whose view is not outdated; the next command serves all.
	 */
	private @Nullable Caller chooseLeader() {
		bypass((caller) -> caller.request.outdated());
		return locked(() -> {
			this.callers.removeIf(Caller::isDone);
			this.served = this.callers.size();
			return this.callers.isEmpty() ? null : this.callers.get(0);
		});
	}

	private void bypass(Predicate<Caller> condition) {
		List<Caller> removed = locked(() -> {
			List<Caller> found = this.callers.stream().filter(condition).toList();
			this.callers.removeAll(found);
			this.served = Math.min(this.served, this.callers.size());
			return found;
		});
		removed.forEach((caller) -> caller.complete(new Leader(null)));
	}

	/**
	 * End the flight. Callers that are not served join the next one.
	 * @param outcome the result of the last command, or {@code null} if it serves no
	 * caller
	 */
	private void end(@Nullable Outcome outcome) {
		List<Caller> ended;
		List<Caller> later;
		this.mutex.lock();
		try {
			if (this.over) {
				return;
			}
			this.over = true;
			int count = (outcome != null) ? this.served : 0;
			ended = List.copyOf(this.callers.subList(0, count));
			later = this.callers.stream().skip(count).filter((caller) -> !caller.isDone()).toList();
		}
		finally {
			this.mutex.unlock();
		}
		this.flights.ended(this, this.keys.data());
		if (!later.isEmpty()) {
			this.flights.join(this.cache, this.keys, later);
		}
		if (outcome != null) {
			ended.forEach((caller) -> caller.complete(outcome));
		}
		this.decided.complete(null);
	}

	private <V extends @Nullable Object> V locked(Supplier<V> step) {
		this.mutex.lock();
		try {
			return step.get();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * One caller that waits for a flight. The first outcome that is set counts: the
	 * outcome of the flight, the end of the wait time, or an interrupt.
	 */
	static final class Caller extends CompletableFuture<Outcome> {

		private final Request request;

		private volatile boolean overdue;

		private volatile @Nullable SingleFlight flight;

		Caller(Request request) {
			this.request = request;
		}

		/** Return a future that completes when the loading JVM is known. */
		CompletableFuture<?> decided() {
			SingleFlight flight = this.flight;
			return (flight != null) ? flight.decided : this;
		}

		/** Return the load that the caller waits for, if this JVM runs it. */
		@Nullable Load load() {
			SingleFlight flight = this.flight;
			return (flight != null) ? flight.load : null;
		}

		/**
		 * Called when the wait time for another JVM has ended: one caller of this JVM is
		 * to load, in this flight or the next.
		 */
		void waitEnded() {
			this.overdue = true;
			SingleFlight flight = this.flight;
			if (flight != null) {
				flight.waitEnded();
			}
		}

		boolean isOverdue() {
			return this.overdue && !isDone();
		}

		/**
		 * Stop waiting. If the caller has just become the leader, another one is chosen.
		 */
		void leave() {
			if (!complete(new Leader(null)) && join() instanceof Leader leader && leader.flight() != null) {
				leader.flight().leave();
			}
		}

	}

	/**
	 * What a caller requests.
	 *
	 * @param seenMicros Redis time since which the caller sees no change of the data, or
	 * {@code null} if it sees all changes
	 * @param outdated whether the cache was cleared since that time
	 * @param rejected mark of an entry that the caller could not read, or {@code null}
	 * @param redisFailure why the caller could not use Redis, or {@code null}
	 * @param evicting whether an evict was not confirmed when the call began
	 */
	record Request(@Nullable Long seenMicros, boolean outdated, byte @Nullable [] rejected,
			@Nullable Throwable redisFailure, boolean evicting) {

	}

	sealed interface Outcome {

	}

	/** The caller receives an entry, which it decodes itself. */
	record Found(Envelope envelope, boolean loaded) implements Outcome {
	}

	/**
	 * The caller receives a value that another caller has loaded and that is not stored.
	 */
	record Value(@Nullable Object value) implements Outcome {
	}

	/**
	 * The caller receives the failure of another caller's loader, which it shares, of its
	 * own wait, or of Redis if the settings allow no load.
	 */
	record Failure(Throwable failure, boolean shared) implements Outcome {
	}

	/** The caller loads as the leader of a flight, or without one for itself only. */
	record Leader(@Nullable SingleFlight flight) implements Outcome {
	}

}
