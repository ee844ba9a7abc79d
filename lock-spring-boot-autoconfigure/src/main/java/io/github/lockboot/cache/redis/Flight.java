package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.protocol.AcquireReply;
import io.github.lockboot.cache.protocol.Acquisition;
import io.github.lockboot.cache.protocol.CacheClock;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;

/**
 * The callers of this JVM that want one entry, on their way to it: read it, else get the
 * right to load it, else wait for another JVM's load. No thread of its own; it goes on
 * when a reply, a push or a timer comes.
 * <p>
 * One rule keeps it right: <strong>a result serves only callers that were aboard before
 * the command that produced it was sent</strong>. Whoever came later may have seen an
 * evict return meanwhile; they go on together with the next flight.
 */
final class Flight {

	private static final byte[] NOTHING = new byte[0];

	/** After the end of a lease, so that Redis has deleted it for sure. */
	private static final long AFTER_LEASE_MILLIS = 10;

	/** How often to ask where Redis can't push. */
	private static final long POLL_MILLIS = 100;

	/** How many unreadable entries in a row are put up with. */
	private static final int MOST_TRIES = 5;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Flights flights;

	private final TypedCache cache;

	private final EntryKeys keys;

	private final @Nullable Throwable down;

	private final List<Seat> seats = new ArrayList<>();

	/** So many of the first seats are served by the command under way. */
	private int served;

	private boolean landed;

	private int tries;

	private @Nullable Wait wait;

	private volatile @Nullable Thread loader;

	/**
	 * Create a flight.
	 * @param down why Redis is not to be asked, or {@code null}
	 * @param seats the first seats
	 */
	Flight(Flights flights, TypedCache cache, EntryKeys keys, @Nullable Throwable down, List<Seat> seats) {
		this.flights = flights;
		this.cache = cache;
		this.keys = keys;
		this.down = down;
		this.seats.addAll(seats);
	}

	EntryKeys keys() {
		return this.keys;
	}

	TypedCache cache() {
		return this.cache;
	}

	@Nullable Throwable down() {
		return this.down;
	}

	/** Take callers aboard, unless the flight is over. */
	boolean board(List<Seat> added) {
		this.mutex.lock();
		try {
			return !this.landed && this.seats.addAll(added);
		}
		finally {
			this.mutex.unlock();
		}
	}

	boolean isLoadedBy(Thread thread) {
		return this.loader == thread;
	}

	void loading(@Nullable Thread thread) {
		this.loader = thread;
	}

	void start() {
		if (this.down != null) {
			fallBack(this.down);
		}
		else {
			read();
		}
	}

	private void read() {
		cut();
		store().read(this.keys).whenComplete((entry, failure) -> {
			if (failure != null) {
				fallBack(failure);
			}
			else if (entry == null) {
				acquire(NOTHING);
			}
			else {
				use(entry);
			}
		});
	}

	/** Land with an entry, or ask for another one if it can't be read. */
	private void use(byte[] entry) {
		byte[] mark = Envelope.mark(entry);
		Envelope envelope = isRejected(mark) ? null : this.cache.open(entry);
		if (envelope != null) {
			land(new Arrival.WithEntry(envelope, false));
			return;
		}
		this.flights.tell(this.cache, CacheEvent.UNREADABLE);
		acquire(mark);
	}

	private boolean isRejected(byte[] mark) {
		this.mutex.lock();
		try {
			return this.seats.stream()
				.anyMatch((seat) -> seat.rejected().length > 0 && Arrays.equals(seat.rejected(), mark));
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void acquire(byte[] rejected) {
		Seat leader = chooseLeader();
		if (leader == null || this.tries++ > MOST_TRIES) {
			landWithNobody();
			return;
		}
		Wait waiting = new Wait(this.flights.newAttempt());
		this.mutex.lock();
		try {
			this.wait = waiting;
		}
		finally {
			this.mutex.unlock();
		}
		// before it is sent: the answer may be pushed at once
		this.flights.expect(waiting.attempt, this);
		long leaseMillis = this.cache.settings().lease().toMillis();
		store()
			.acquire(this.keys,
					new Acquisition(waiting.attempt, leaseMillis, rejected, true, leader.view().seenMicros()))
			.whenComplete((reply, failure) -> {
				if (failure != null) {
					leave(waiting.attempt);
					fallBack(failure);
				}
				else {
					acquired(reply, waiting.attempt, leader);
				}
			});
	}

	private void acquired(AcquireReply reply, String attempt, Seat leader) {
		if (reply instanceof AcquireReply.Taken taken) {
			waitFor(attempt, taken);
			return;
		}
		leave(attempt);
		if (reply instanceof AcquireReply.Present present) {
			use(present.entry());
		}
		else if (reply instanceof AcquireReply.Leased leased) {
			lead(leader, attempt, leased.graceMillis());
		}
		else {
			leader.land(new Arrival.ToBypass());
			acquire(NOTHING);
		}
	}

	private void lead(Seat leader, String attempt, long graceMillis) {
		this.tries = 0;
		Lead lead = new Lead(this, attempt, graceMillis);
		lead.keepLease();
		if (!leader.land(new Arrival.ToLoad(lead))) {
			// it has left meanwhile: another one shall
			lead.giveUp();
			acquire(NOTHING);
		}
	}

	private void waitFor(String attempt, AcquireReply.Taken taken) {
		this.tries = 0;
		long millis = taken.pushed() ? taken.remainingMillis() + AFTER_LEASE_MILLIS
				: Math.min(taken.remainingMillis() + AFTER_LEASE_MILLIS, POLL_MILLIS);
		Runnable early = null;
		this.mutex.lock();
		try {
			Wait waiting = this.wait;
			if (waiting != null && waiting.attempt.equals(attempt)) {
				early = waiting.next;
				waiting.timer = (early == null)
						? this.flights.clock().schedule(Duration.ofMillis(millis), () -> askAgain(attempt)) : null;
				waiting.replied = true;
			}
		}
		finally {
			this.mutex.unlock();
		}
		if (early != null && leave(attempt)) {
			early.run();
		}
	}

	/** What was waited for has come, or may have come unnoticed. */
	void askAgain(String attempt) {
		wake(attempt, () -> acquire(NOTHING));
	}

	/** Another JVM has stored the entry, after this attempt was sent. */
	void loaded(String attempt, byte[] entry) {
		wake(attempt, () -> use(entry));
	}

	/** Another JVM's load has ended. */
	void ended(String attempt, boolean stored) {
		wake(attempt, stored ? this::read : () -> acquire(NOTHING));
	}

	private void wake(String attempt, Runnable next) {
		this.mutex.lock();
		try {
			Wait waiting = this.wait;
			if (waiting == null || !waiting.attempt.equals(attempt)) {
				return;
			}
			if (!waiting.replied) {
				waiting.next = next;
				return;
			}
		}
		finally {
			this.mutex.unlock();
		}
		if (leave(attempt)) {
			next.run();
		}
	}

	/** No longer wait for an attempt; true for one caller only. */
	private boolean leave(String attempt) {
		this.flights.forget(attempt);
		this.mutex.lock();
		try {
			Wait waiting = this.wait;
			if (waiting == null || !waiting.attempt.equals(attempt)) {
				return false;
			}
			this.wait = null;
			if (waiting.timer != null) {
				waiting.timer.cancel();
			}
			return true;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Go on without Redis: one loads for all aboard, and nothing is stored. Those whose
	 * view of the data may be old load for themselves. A Redis that works may be told of
	 * an evict during the load, so that it does not serve those who come later.
	 */
	private void fallBack(Throwable failure) {
		this.flights.tell(this.cache, CacheEvent.REDIS_FAILED);
		if (this.cache.settings().onRedisError() == OnRedisError.FAIL) {
			cut();
			land(new Arrival.Unavailable(failure));
			return;
		}
		bypass((seat) -> seat.view().seenMicros() != null);
		Seat leader = chooseLeader();
		boolean forLater = !store().isAnswer(failure);
		while (leader != null && !leader.land(new Arrival.ToLoad(Lead.withoutLease(this, forLater)))) {
			leader = chooseLeader();
		}
		if (leader == null) {
			landWithNobody();
		}
	}

	/** Let those aboard be served by the command that is sent next. */
	void cut() {
		this.mutex.lock();
		try {
			this.served = this.seats.size();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Cut, and return the first who waits. */
	private @Nullable Seat chooseLeader() {
		bypass((seat) -> seat.view().outdated());
		this.mutex.lock();
		try {
			this.seats.removeIf((seat) -> !seat.isTaken());
			this.served = this.seats.size();
			return this.seats.isEmpty() ? null : this.seats.get(0);
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void bypass(Predicate<Seat> who) {
		List<Seat> some;
		this.mutex.lock();
		try {
			some = this.seats.stream().filter(who).toList();
			this.seats.removeAll(some);
		}
		finally {
			this.mutex.unlock();
		}
		some.forEach((seat) -> seat.land(new Arrival.ToBypass()));
	}

	/** End the flight; who is not served goes on with the next. */
	void land(Arrival arrival) {
		List<Seat> arrived;
		List<Seat> later;
		this.mutex.lock();
		try {
			if (this.landed) {
				return;
			}
			this.landed = true;
			this.loader = null;
			arrived = List.copyOf(this.seats.subList(0, this.served));
			later = this.seats.subList(this.served, this.seats.size()).stream().filter(Seat::isTaken).toList();
		}
		finally {
			this.mutex.unlock();
		}
		this.flights.landed(this, later);
		arrived.forEach((seat) -> seat.land(arrival));
	}

	/** End the flight without a result: all who wait go on with the next. */
	void landWithNobody() {
		this.mutex.lock();
		try {
			this.served = 0;
		}
		finally {
			this.mutex.unlock();
		}
		land(new Arrival.ToBypass());
	}

	CacheStore store() {
		return this.flights.store();
	}

	Flights flights() {
		return this.flights;
	}

	/** An attempt on its way, or one that waits for the end of another's load. */
	private static final class Wait {

		private final String attempt;

		private boolean replied;

		private @Nullable Runnable next;

		private CacheClock.@Nullable Timer timer;

		Wait(String attempt) {
			this.attempt = attempt;
		}

	}

}
