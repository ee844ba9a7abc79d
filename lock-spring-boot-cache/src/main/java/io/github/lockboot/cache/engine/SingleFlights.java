package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.engine.SingleFlight.Caller;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;

/**
 * What the callers of this JVM share: flights, of which there is at most one for each
 * entry that callers can join, and refreshes.
 */
final class SingleFlights {

	private static final Duration RETRY_DELAY = Duration.ofMillis(500);

	/** A chain of causes may be a circle. */
	private static final int LONGEST_CHAIN = 20;

	private final ConcurrentMap<String, SingleFlight> open = new ConcurrentHashMap<>();

	/** Pushes that are expected, by attempt. */
	private final ConcurrentMap<String, CompletableFuture<byte @Nullable []>> pushes = new ConcurrentHashMap<>();

	/**
	 * The load of a thread, also of the threads that a loader starts, since the loader
	 * may wait for these. A thread of a pool keeps the load after its end.
	 */
	private final ThreadLocal<@Nullable Load> currentLoad = new InheritableThreadLocal<>();

	private final CacheStore store;

	private final Refreshes refreshes;

	SingleFlights(CacheStore store, UnaryOperator<Runnable> background) {
		this.store = store;
		this.refreshes = new Refreshes(this, background);
	}

	CacheStore store() {
		return this.store;
	}

	Refreshes refreshes() {
		return this.refreshes;
	}

	/**
	 * Return whether to join the flight of an entry without a read: not if the flight
	 * loads without a lease, since others may store the entry.
	 */
	boolean isOpen(EntryKeys keys) {
		SingleFlight flight = this.open.get(keys.data());
		return flight != null && !flight.isWithoutLease();
	}

	void join(TypedCache cache, EntryKeys keys, List<Caller> callers) {
		SingleFlight mine = new SingleFlight(this, cache, keys);
		SingleFlight joined = this.open.compute(keys.data(), (data, present) -> {
			if (present != null && present.join(callers)) {
				return present;
			}
			// not before it is chosen: callers might wait for a flight that is not used
			mine.join(callers);
			return mine;
		});
		if (joined == mine) {
			mine.start();
		}
		else if (callers.stream().anyMatch(Caller::isOverdue)) {
			joined.waitEnded();
		}
	}

	/** Return the load that this thread runs, or that has started it and still runs. */
	@Nullable Load currentLoad() {
		Load current = this.currentLoad.get();
		return (current != null && !current.isOver()) ? current : null;
	}

	/**
	 * Return a load of some entries, whose failure is that of their flights. An interrupt
	 * or a cancellation is its caller's own: another caller loads.
	 * @param flights the flight of each entry, {@code null} for a caller that loads for
	 * itself only
	 */
	Load newLoad(TypedCache cache, Collection<@Nullable SingleFlight> flights) {
		flights.forEach((flight) -> cache
			.report((flight != null && flight.lease().mayStore()) ? CacheEvent.MISS : CacheEvent.BYPASS));
		List<SingleFlight> led = flights.stream().filter(Objects::nonNull).toList();
		Load load = new Load(cache, this.store.clock(), this.currentLoad, currentLoad(),
				(failure) -> led.forEach(isOfCaller(failure) ? SingleFlight::leave : (flight) -> flight.fail(failure)));
		led.forEach((flight) -> flight.loading(load));
		return load;
	}

	private static boolean isOfCaller(Throwable failure) {
		return Thread.currentThread().isInterrupted() || Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(LONGEST_CHAIN)
			.anyMatch((cause) -> cause instanceof InterruptedException || cause instanceof CancellationException
					|| cause instanceof LockInterruptedException);
	}

	void ended(SingleFlight flight, String data) {
		this.open.remove(data, flight);
	}

	/** Detach the present flight of an entry, which later callers do not share. */
	void detach(String data) {
		this.open.remove(data);
	}

	/**
	 * Release a lease that an attempt without a reply may have got, and once more a
	 * little later if Redis does not reply to the release either.
	 */
	void releaseUnknown(EntryKeys keys, String attempt) {
		this.store.abandon(keys, attempt, 0).whenComplete((done, failure) -> {
			if (failure != null) {
				this.store.clock().schedule(RETRY_DELAY, () -> this.store.abandon(keys, attempt, 0));
			}
		});
	}

	/**
	 * Return a future that completes when Redis pushes the end of the load for which an
	 * attempt waits.
	 */
	CompletableFuture<byte @Nullable []> expectPush(String attempt) {
		CompletableFuture<byte @Nullable []> push = new CompletableFuture<>();
		this.pushes.put(attempt, push);
		return push;
	}

	void forgetPush(String attempt) {
		this.pushes.remove(attempt);
	}

	void pushed(String attempt, byte @Nullable [] entry) {
		CompletableFuture<byte @Nullable []> push = this.pushes.get(attempt);
		if (push != null) {
			push.complete(entry);
		}
	}

	/** Called when pushes may have been missed: all attempts that wait are made again. */
	void pushesMissed() {
		this.pushes.values().forEach((push) -> push.complete(null));
	}

}
