package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.protocol.CacheClock;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;

/**
 * All flights of this JVM: one at most for an entry takes callers aboard.
 */
final class Flights {

	private static final Duration LATER = Duration.ofMillis(500);

	private final ConcurrentMap<String, Flight> boarding = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, Flight> expecting = new ConcurrentHashMap<>();

	private final CacheStore store;

	private final CacheClock clock;

	private final CacheEvents events;

	/** Random, and different for each attempt of this JVM. */
	private final AtomicLong attempts = new AtomicLong();

	private final String origin;

	Flights(CacheStore store, CacheClock clock, CacheEvents events, String origin) {
		this.store = store;
		this.clock = clock;
		this.events = events;
		this.origin = origin;
	}

	CacheStore store() {
		return this.store;
	}

	CacheClock clock() {
		return this.clock;
	}

	void tell(TypedCache cache, CacheEvent event) {
		this.events.tell(cache.name(), event);
	}

	/**
	 * Take a caller aboard the flight to an entry.
	 * @param down why Redis is not to be asked, or {@code null}
	 * @return false if that flight waits for this very thread, which can't wait for it
	 */
	boolean board(TypedCache cache, EntryKeys keys, @Nullable Throwable down, Seat seat) {
		if (isLoadedHere(keys)) {
			return false;
		}
		Flight begun = board(new Flight(this, cache, keys, down, List.of(seat)), List.of(seat));
		if (begun != null) {
			begun.start();
		}
		return true;
	}

	/** Whether the flight to an entry waits for this very thread. */
	boolean isLoadedHere(EntryKeys keys) {
		Flight present = this.boarding.get(keys.data());
		return present != null && present.isLoadedBy(Thread.currentThread());
	}

	/**
	 * Take a caller aboard the flights to several entries, and read those together that
	 * nobody is on the way to.
	 * @return for each of these, what ends when the caller is to load it or another does
	 */
	List<CompletableFuture<?>> boardAll(TypedCache cache, List<Boarding> several) {
		List<Flight> begun = new ArrayList<>();
		List<CompletableFuture<?>> pending = new ArrayList<>();
		for (Boarding boarding : several) {
			List<Seat> seats = List.of(boarding.seat());
			Flight flight = board(new Flight(this, cache, boarding.keys(), null, seats), seats);
			if (flight != null) {
				begun.add(flight);
				pending.add(CompletableFuture.anyOf(flight.pending(), boarding.seat().arrival()));
			}
		}
		if (!begun.isEmpty()) {
			readAll(begun);
		}
		return pending;
	}

	private void readAll(List<Flight> begun) {
		begun.forEach(Flight::cut);
		List<CompletableFuture<byte @Nullable []>> readings = this.store
			.readAll(begun.stream().map(Flight::keys).toList());
		for (int i = 0; i < begun.size(); i++) {
			begun.get(i).follow(readings.get(i));
		}
	}

	/**
	 * Board the flight that is there, else another.
	 * @return the other one if it is to be started
	 */
	private @Nullable Flight board(Flight other, List<Seat> seats) {
		Flight flight = this.boarding.compute(other.keys().data(),
				(data, present) -> (present != null && present.board(seats)) ? present : other);
		return (flight == other) ? other : null;
	}

	/** A flight is over: it takes nobody aboard, and who was late goes on. */
	void landed(Flight flight, List<Seat> later) {
		this.boarding.remove(flight.keys().data(), flight);
		if (!later.isEmpty()) {
			Flight next = board(new Flight(this, flight.cache(), flight.keys(), flight.down(), later), later);
			if (next != null) {
				next.start();
			}
		}
	}

	/**
	 * Give back a lease that an attempt without an answer may have got: once more a
	 * little later if Redis does not answer to this either.
	 */
	void giveBackUnknown(EntryKeys keys, String attempt) {
		this.store.abandon(keys, attempt, 0).whenComplete((done, failure) -> {
			if (failure != null) {
				this.clock.schedule(LATER, () -> this.store.abandon(keys, attempt, 0));
			}
		});
	}

	/** Let whoever calls from now on not share what is under way. */
	void detach(String data) {
		this.boarding.remove(data);
	}

	String newAttempt() {
		return this.origin + "x" + Long.toHexString(this.attempts.incrementAndGet()) + "x"
				+ Long.toHexString(ThreadLocalRandom.current().nextLong());
	}

	void expect(String attempt, Flight flight) {
		this.expecting.put(attempt, flight);
	}

	void forget(String attempt) {
		this.expecting.remove(attempt);
	}

	void loaded(String attempt, byte[] entry) {
		Flight flight = this.expecting.get(attempt);
		if (flight != null) {
			flight.loaded(attempt, entry);
		}
	}

	void ended(String attempt, boolean stored) {
		Flight flight = this.expecting.get(attempt);
		if (flight != null) {
			flight.ended(attempt, stored);
		}
	}

	/** Pushes may have been missed: all who wait ask again. */
	void askAgain() {
		this.expecting.forEach((attempt, flight) -> flight.askAgain(attempt));
	}

	/**
	 * A seat on the flight to an entry.
	 *
	 * @param keys keys of the entry
	 * @param seat the seat
	 */
	record Boarding(EntryKeys keys, Seat seat) {

	}

}
