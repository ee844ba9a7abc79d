package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.OnRedisError;
import io.github.lockboot.cache.protocol.AcquireReply;
import io.github.lockboot.cache.protocol.Acquisition;
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

	private final Flights flights;

	private final TypedCache cache;

	private final EntryKeys keys;

	private final @Nullable Throwable down;

	private final Seats seats;

	private final CompletableFuture<@Nullable Void> pending = new CompletableFuture<>();

	private int tries;

	private volatile @Nullable Attempt attempt;

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
		this.seats = new Seats(seats);
		seats.forEach((seat) -> seat.aboard(this));
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
		if (!this.seats.board(added)) {
			return false;
		}
		added.forEach((seat) -> seat.aboard(this));
		return true;
	}

	/**
	 * Done as soon as it is known that the result comes from elsewhere, and when the
	 * flight is over.
	 */
	CompletableFuture<?> pending() {
		return this.pending;
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
		follow(store().read(this.keys));
	}

	/** Go on when an entry was read, by a command that was sent after {@link #cut()}. */
	void follow(CompletableFuture<byte @Nullable []> reading) {
		reading.whenComplete((entry, failure) -> {
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
		Envelope envelope = this.seats.reject(mark) ? null : this.cache.open(entry);
		if (envelope != null) {
			land(new Arrival.WithEntry(envelope, false));
			return;
		}
		this.flights.tell(this.cache, CacheEvent.UNREADABLE);
		acquire(mark);
	}

	private void acquire(byte[] rejected) {
		Seat leader = this.seats.chooseLeader();
		if (leader == null || this.tries++ > MOST_TRIES) {
			landWithNobody();
			return;
		}
		Attempt sent = new Attempt(this.flights.newAttempt());
		this.attempt = sent;
		// before it is sent: the answer may be pushed at once
		this.flights.expect(sent.id(), this);
		long leaseMillis = this.cache.settings().lease().toMillis();
		store().acquire(this.keys, new Acquisition(sent.id(), leaseMillis, rejected, true, leader.view().seenMicros()))
			.whenComplete((reply, failure) -> {
				if (failure != null) {
					leave(sent);
					this.flights.giveBackUnknown(this.keys, sent.id());
					fallBack(failure);
				}
				else {
					acquired(reply, sent, leader);
				}
			});
	}

	private void acquired(AcquireReply reply, Attempt sent, Seat leader) {
		if (reply instanceof AcquireReply.Taken taken) {
			waitFor(sent, taken);
			return;
		}
		leave(sent);
		if (reply instanceof AcquireReply.Present present) {
			use(present.entry());
		}
		else if (reply instanceof AcquireReply.Leased leased) {
			lead(leader, sent.id(), leased.graceMillis());
		}
		else {
			leader.land(new Arrival.ToBypass());
			acquire(NOTHING);
		}
	}

	private void lead(Seat leader, String attempt, long graceMillis) {
		this.tries = 0;
		Lead lead = new Lead(this, attempt, graceMillis);
		lead.begin();
		if (!leader.land(new Arrival.ToLoad(lead))) {
			// it has left meanwhile: another one shall
			lead.giveUp();
			acquire(NOTHING);
		}
	}

	private void waitFor(Attempt sent, AcquireReply.Taken taken) {
		this.tries = 0;
		this.pending.complete(null);
		long millis = taken.pushed() ? taken.remainingMillis() + AFTER_LEASE_MILLIS
				: Math.min(taken.remainingMillis() + AFTER_LEASE_MILLIS, POLL_MILLIS);
		Runnable early = sent.await(this.flights.clock(), Duration.ofMillis(millis), () -> askAgain(sent.id()));
		if (early != null && leave(sent)) {
			early.run();
		}
		else if (this.seats.isOverdue()) {
			hurry();
		}
	}

	/**
	 * Somebody aboard has waited for long enough for another JVM: one loads without a
	 * lease for all who are aboard now. While one of this JVM loads already, that load is
	 * waited for.
	 */
	void hurry() {
		Attempt waiting = this.attempt;
		if (waiting != null && waiting.isWaiting() && leave(waiting)) {
			loadWithoutLease(false);
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

	private void wake(String id, Runnable next) {
		Attempt waiting = this.attempt;
		boolean mine = waiting != null && waiting.id().equals(id);
		if (waiting != null && mine && waiting.wake(next) && leave(waiting)) {
			next.run();
		}
	}

	/** No longer wait for an attempt; true for one caller only. */
	private boolean leave(Attempt left) {
		this.flights.forget(left.id());
		return left.leave();
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
		loadWithoutLease(!store().isAnswer(failure));
	}

	/**
	 * Let one aboard load.
	 * @param forLater whether those who come aboard during the load share its value
	 */
	private void loadWithoutLease(boolean forLater) {
		this.seats.bypass((seat) -> seat.view().seenMicros() != null);
		Lead lead = Lead.withoutLease(this, forLater);
		lead.begin();
		Seat leader = this.seats.chooseLeader();
		while (leader != null && !leader.land(new Arrival.ToLoad(lead))) {
			leader = this.seats.chooseLeader();
		}
		if (leader == null) {
			lead.leave();
		}
	}

	/** A load takes too long: all others aboard go on without it. */
	void overdue() {
		landWithNobody();
	}

	/** Let those aboard be served by the command that is sent next. */
	void cut() {
		this.seats.cut();
	}

	/** End the flight; who is not served goes on with the next. */
	void land(Arrival arrival) {
		land(arrival, true);
	}

	/** End the flight without a result: all who wait go on with the next. */
	void landWithNobody() {
		land(new Arrival.ToBypass(), false);
	}

	private void land(Arrival arrival, boolean withResult) {
		Seats.Landing landing = this.seats.land(withResult);
		if (landing != null) {
			this.loader = null;
			this.flights.landed(this, landing.later());
			landing.arrived().forEach((seat) -> seat.land(arrival));
			this.pending.complete(null);
		}
	}

	CacheStore store() {
		return this.flights.store();
	}

	Flights flights() {
		return this.flights;
	}

}
