package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * All flights of this JVM: callers can join at most one for an entry.
 */
final class SingleFlights {

	private static final Duration LATER = Duration.ofMillis(500);

	private final ConcurrentMap<String, SingleFlight> open = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, SingleFlight> expecting = new ConcurrentHashMap<>();

	/** By the threads that run loaders. */
	private final ThreadLocal<SingleFlight.@Nullable Load> loading = new ThreadLocal<>();

	private final CacheStore store;

	private final MonotonicClock clock;

	private final CacheEvents events;

	/** Random, and different for each attempt of this JVM. */
	private final AtomicLong attempts = new AtomicLong();

	private final String origin;

	SingleFlights(CacheStore store, MonotonicClock clock, CacheEvents events, String origin) {
		this.store = store;
		this.clock = clock;
		this.events = events;
		this.origin = origin;
	}

	CacheStore store() {
		return this.store;
	}

	MonotonicClock clock() {
		return this.clock;
	}

	void tell(TypedCache cache, CacheEvent event) {
		this.events.tell(cache.name(), event);
	}

	void tellStore(TypedCache cache, @Nullable Boolean stored, @Nullable Throwable failure) {
		this.events.tellStore(cache.name(), stored, failure);
	}

	/** Return the flight that a caller can join. */
	@Nullable SingleFlight find(EntryKeys keys) {
		return this.open.get(keys.data());
	}

	/**
	 * Join the flight of an entry, or begin one.
	 * @param down why Redis is not to be asked, or {@code null}
	 */
	void join(TypedCache cache, EntryKeys keys, @Nullable Throwable down, List<Waiter> waiters) {
		SingleFlight mine = new SingleFlight(this, cache, keys, down, waiters);
		SingleFlight joined = this.open.compute(keys.data(),
				(data, present) -> (present != null && present.join(waiters)) ? present : mine);
		if (joined == mine) {
			mine.start();
		}
		else if (waiters.stream().anyMatch(Waiter::isOverdue)) {
			joined.hurry();
		}
	}

	/** Return the load that this thread runs, if any. */
	SingleFlight.@Nullable Load loading() {
		return this.loading.get();
	}

	/** Run a loader for some flights. */
	<V extends @Nullable Object, X extends Throwable> V load(Collection<SingleFlight> flights, LoadRun.Body<V, X> body)
			throws X {
		SingleFlight.Load outer = loading();
		SingleFlight.Load load = new SingleFlight.Load(outer);
		flights.forEach((flight) -> flight.loading(load));
		this.loading.set(load);
		try {
			return body.load();
		}
		finally {
			if (outer != null) {
				this.loading.set(outer);
			}
			else {
				this.loading.remove();
			}
		}
	}

	/** Nobody joins a flight any more, and whoever was late goes on. */
	void ended(SingleFlight flight, List<Waiter> later) {
		this.open.remove(flight.keys().data(), flight);
		if (!later.isEmpty()) {
			join(flight.cache(), flight.keys(), flight.down(), later);
		}
	}

	/** Callers from now on do not share what is under way. */
	void detach(String data) {
		this.open.remove(data);
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

	String newAttempt() {
		return this.origin + "x" + Long.toHexString(this.attempts.incrementAndGet()) + "x"
				+ Long.toHexString(ThreadLocalRandom.current().nextLong());
	}

	void expect(String attempt, SingleFlight flight) {
		this.expecting.put(attempt, flight);
	}

	void forget(String attempt) {
		this.expecting.remove(attempt);
	}

	/** Another JVM has stored the entry, after this attempt was sent. */
	void loaded(String attempt, byte[] entry) {
		SingleFlight flight = this.expecting.get(attempt);
		if (flight != null) {
			flight.loaded(attempt, entry);
		}
	}

	/** The load of another JVM has ended. */
	void ended(String attempt) {
		SingleFlight flight = this.expecting.get(attempt);
		if (flight != null) {
			flight.askAgain(attempt);
		}
	}

	/** Pushes may have been missed: all who wait ask again. */
	void askAgain() {
		this.expecting.forEach((attempt, flight) -> flight.askAgain(attempt));
	}

}
