package io.github.lockboot.cache.redis;

import java.util.List;
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
		Flight present = this.boarding.get(keys.data());
		if (present != null && present.isLoadedBy(Thread.currentThread())) {
			return false;
		}
		board(new Flight(this, cache, keys, down, List.of(seat)), List.of(seat));
		return true;
	}

	/** Board the flight that is there, else start another. */
	private void board(Flight other, List<Seat> seats) {
		Flight flight = this.boarding.compute(other.keys().data(),
				(data, present) -> (present != null && present.board(seats)) ? present : other);
		if (flight == other) {
			other.start();
		}
	}

	/** A flight is over: it takes nobody aboard, and who was late goes on. */
	void landed(Flight flight, List<Seat> later) {
		this.boarding.remove(flight.keys().data(), flight);
		if (!later.isEmpty()) {
			board(new Flight(this, flight.cache(), flight.keys(), flight.down(), later), later);
		}
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

}
