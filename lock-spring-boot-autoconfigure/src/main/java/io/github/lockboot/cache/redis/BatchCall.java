package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheBatchLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.redis.Approach.Place;

/**
 * One caller on its way to the values of several keys. It loads together what it is to
 * load, some hundred keys at a time, and only then waits for what others load: so no two
 * callers wait for each other. Runs on the caller's thread.
 *
 * @param <K> type of the keys
 * @param <T> type of the values
 * @param <X> what the loader may throw
 */
final class BatchCall<K, T extends @Nullable Object, X extends Throwable> {

	/** For how long to gather keys that have become this caller's to load. */
	private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final CacheContext context;

	private final TypedCache cache;

	private final CacheBatchLoader<K, T, X> loader;

	/** All keys in the order of the caller, and what was found for them. */
	private final Map<K, @Nullable CachedValue<T>> found = new LinkedHashMap<>();

	/** Keys that are loaded past the cache. */
	private final List<K> barred = new ArrayList<>();

	private final List<Passenger<K, T>> aboard = new ArrayList<>();

	BatchCall(CacheContext context, TypedCache cache, Collection<K> keys, CacheBatchLoader<K, T, X> loader) {
		this.context = context;
		this.cache = cache;
		this.loader = loader;
		keys.forEach((key) -> this.found.put(key, null));
	}

	Map<K, T> run() throws X {
		List<Candidate<K, T>> wanted = new ArrayList<>();
		this.found.keySet().forEach((key) -> wanted.add(candidate(key)));
		try {
			while (!wanted.isEmpty()) {
				for (List<Candidate<K, T>> some : chunks(wanted)) {
					look(some);
				}
				wanted.clear();
				wanted.addAll(awaitOthers());
				this.aboard.clear();
			}
			loadPastTheCache();
		}
		catch (Throwable ex) {
			this.aboard.forEach(Passenger::leave);
			throw ex;
		}
		return values();
	}

	private static <E> List<List<E>> chunks(List<E> all) {
		List<List<E>> chunks = new ArrayList<>();
		for (int i = 0; i < all.size(); i += CacheContext.MOST_AT_ONCE) {
			chunks.add(List.copyOf(all.subList(i, Math.min(i + CacheContext.MOST_AT_ONCE, all.size()))));
		}
		return chunks;
	}

	private Candidate<K, T> candidate(K key) {
		return new Candidate<>(key,
				new Approach<>(this.context, this.cache, KeyText.of(this.cache.name(), key), () -> loadAlone(key)));
	}

	/** Take what is there, and load what nobody else does. */
	private void look(List<Candidate<K, T>> some) throws X {
		Epochs.Sight sight = sight();
		List<Passenger<K, T>> boarding = new ArrayList<>();
		for (Candidate<K, T> candidate : some) {
			Passenger<K, T> passenger = approach(candidate, sight);
			if (passenger != null) {
				boarding.add(passenger);
			}
		}
		this.aboard.addAll(boarding);
		awaitTurn(board(boarding));
		// if the cache was cleared meanwhile, each key looks again
		loadTogether(isCurrent(sight) ? boarding : List.of());
	}

	/** Return the epoch, or {@code null} if Redis does not tell. */
	private Epochs.@Nullable Sight sight() {
		try {
			return this.context.epochs().look(this.cache.name());
		}
		catch (CompletionException ex) {
			return null;
		}
	}

	/** Return the key on its way, or {@code null} if it has none to go. */
	private @Nullable Passenger<K, T> approach(Candidate<K, T> candidate, Epochs.@Nullable Sight sight) {
		K key = candidate.key;
		Approach<T> approach = candidate.approach;
		if (approach.isBarred()) {
			this.barred.add(key);
			return null;
		}
		if (sight == null) {
			approach.goWithoutRedis(new IllegalStateException("Redis has not told the epoch of the cache"));
		}
		Epochs.Sight known = (sight != null) ? sight : approach.lastSight();
		CachedValue<T> copy = approach.copy(known);
		if (copy != null) {
			this.found.put(key, copy);
			return null;
		}
		Place place = approach.place(known);
		if (this.context.flights().isLoadedHere(place.keys())) {
			this.barred.add(key);
			return null;
		}
		return new Passenger<>(candidate, place, approach.seat(place));
	}

	/** Return what to wait for before anything is loaded. */
	private List<CompletableFuture<?>> board(List<Passenger<K, T>> some) {
		List<Flights.Boarding> together = new ArrayList<>();
		for (Passenger<K, T> passenger : some) {
			if (passenger.approach().isWithoutRedis()) {
				passenger.approach().board(passenger.place, passenger.seat);
			}
			else {
				together.add(new Flights.Boarding(passenger.place.keys(), passenger.seat));
			}
		}
		return this.context.flights().boardAll(this.cache, together);
	}

	private void awaitTurn(List<CompletableFuture<?>> pending) {
		try {
			CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new))
				.get(CacheStore.LONGEST_CONNECT.plus(this.context.patience()).toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
		catch (TimeoutException | ExecutionException ex) {
			// what has not arrived yet is waited for later
			return;
		}
	}

	private boolean isCurrent(Epochs.@Nullable Sight sight) {
		try {
			return sight == null || sight.isCurrent();
		}
		catch (CompletionException ex) {
			return false;
		}
	}

	/** Load what this caller is to load of some. */
	private void loadTogether(List<Passenger<K, T>> some) throws X {
		Map<K, Lead> leads = new LinkedHashMap<>();
		for (Passenger<K, T> passenger : some) {
			Lead lead = passenger.lead();
			if (lead != null) {
				leads.put(passenger.key(), lead);
			}
		}
		if (!leads.isEmpty()) {
			load(some, leads);
		}
	}

	private void load(List<Passenger<K, T>> some, Map<K, Lead> leads) throws X {
		LoadRun<T> run = newRun();
		leads.values().forEach((lead) -> {
			tell(lead.mayStore() ? CacheEvent.MISS : CacheEvent.BYPASS);
			lead.loading(Thread.currentThread());
		});
		Map<K, T> loaded;
		try {
			loaded = run.load(() -> this.loader.load(List.copyOf(leads.keySet())));
		}
		catch (Throwable ex) {
			leads.values().forEach((lead) -> lead.fail(ex));
			throw ex;
		}
		finally {
			leads.values().forEach((lead) -> lead.loading(null));
		}
		List<CompletableFuture<?>> replies = new ArrayList<>();
		for (Passenger<K, T> passenger : some) {
			Lead lead = leads.get(passenger.key());
			if (lead != null) {
				T value = valueOf(loaded, passenger.key());
				this.found.put(passenger.key(), new CachedValue<>(value));
				replies.add(passenger.approach().deliver(lead, run, value));
			}
		}
		replies.forEach(this.context::await);
	}

	/**
	 * Take what others load as it comes. After the wait time, which is that of one call
	 * however many keys there are, this caller loads what no one in this JVM does.
	 * @return what is to be looked for again
	 */
	private List<Candidate<K, T>> awaitOthers() throws X {
		List<Candidate<K, T>> again = new ArrayList<>();
		BlockingQueue<Passenger<K, T>> arrivals = new LinkedBlockingQueue<>();
		List<Passenger<K, T>> rest = this.aboard.stream().filter(this::isWanted).toList();
		rest.forEach((passenger) -> passenger.seat.arrival().thenRun(() -> arrivals.add(passenger)));
		long limitNanos = System.nanoTime() + patience().toNanos();
		for (int outstanding = rest.size(); outstanding > 0;) {
			List<Passenger<K, T>> arrived = await(arrivals, Math.min(outstanding, CacheContext.MOST_AT_ONCE),
					limitNanos);
			if (arrived.isEmpty()) {
				rest.stream()
					.filter(this::isWanted)
					.forEach((passenger) -> passenger.approach().waited(passenger.seat));
				limitNanos = System.nanoTime() + this.cache.settings().maxLoadTime().toNanos();
			}
			outstanding -= arrived.size();
			loadTogether(arrived);
			for (Passenger<K, T> passenger : arrived) {
				if (isWanted(passenger) && !take(passenger)) {
					again.add(passenger.candidate);
				}
			}
		}
		return again;
	}

	private Duration patience() {
		return this.cache.settings().waitTimeout().plus(this.context.patience());
	}

	private boolean isWanted(Passenger<K, T> passenger) {
		return this.found.get(passenger.key()) == null;
	}

	/** What has arrived to be loaded is gathered, so that it is not loaded one by one. */
	private List<Passenger<K, T>> await(BlockingQueue<Passenger<K, T>> arrivals, int most, long limitNanos) {
		List<Passenger<K, T>> arrived = new ArrayList<>();
		try {
			Passenger<K, T> next = arrivals.poll(limitNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
			long gatheredNanos = System.nanoTime() + GATHER_NANOS;
			while (next != null) {
				arrived.add(next);
				next = (arrived.size() < most) ? arrivals.poll(gatheredNanos - System.nanoTime(), TimeUnit.NANOSECONDS)
						: null;
			}
			return arrived;
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
	}

	private CacheInterruptedException interrupted(InterruptedException ex) {
		Thread.currentThread().interrupt();
		return new CacheInterruptedException(this.cache.name(), String.valueOf(this.found.keySet()), ex);
	}

	/** Take what has arrived; false if it has to be looked for again. */
	private boolean take(Passenger<K, T> passenger) throws X {
		Arrival arrival = passenger.seat.await();
		if (arrival instanceof Arrival.WithEntry entry) {
			CachedValue<T> value = isCurrent(passenger) ? passenger.approach().use(passenger.place, entry) : null;
			this.found.put(passenger.key(), value);
			return value != null;
		}
		CachedValue<T> value = passenger.approach().<X>end(arrival);
		if (value == null) {
			this.barred.add(passenger.key());
		}
		this.found.put(passenger.key(), value);
		return true;
	}

	private boolean isCurrent(Passenger<K, T> passenger) {
		try {
			return passenger.place.sight().isCurrent();
		}
		catch (CompletionException ex) {
			passenger.approach().goWithoutRedis(ex);
			return false;
		}
	}

	private void loadPastTheCache() throws X {
		for (List<K> some : chunks(this.barred)) {
			some.forEach((key) -> tell(CacheEvent.BYPASS));
			Map<K, T> loaded = newRun().load(() -> this.loader.load(some));
			some.forEach((key) -> this.found.put(key, new CachedValue<>(valueOf(loaded, key))));
		}
	}

	private T loadAlone(K key) throws X {
		return valueOf(this.loader.load(List.of(key)), key);
	}

	@SuppressWarnings("NullAway") // no value is a null
	private static <K, T extends @Nullable Object> T valueOf(Map<K, T> loaded, K key) {
		return loaded.get(key);
	}

	private LoadRun<T> newRun() {
		return new LoadRun<>(this.cache, new CacheTerms<>() {
		}, this.context.events());
	}

	private Map<K, T> values() {
		Map<K, T> values = new LinkedHashMap<>();
		this.found.forEach((key, value) -> {
			if (value != null && !this.cache.values().isNull(value.value())) {
				values.put(key, value.value());
			}
		});
		return values;
	}

	private void tell(CacheEvent event) {
		this.context.events().tell(this.cache.name(), event);
	}

	/**
	 * A key that has no value yet.
	 *
	 * @param key the key
	 * @param approach its way
	 */
	private record Candidate<K, T extends @Nullable Object>(K key, Approach<T> approach) {

	}

	/**
	 * A key on its way.
	 *
	 * @param candidate the key
	 * @param place where its entry is looked for
	 * @param seat its seat
	 */
	private record Passenger<K, T extends @Nullable Object>(Candidate<K, T> candidate, Place place, Seat seat) {

		K key() {
			return this.candidate.key;
		}

		Approach<T> approach() {
			return this.candidate.approach;
		}

		/** Return the right to load the entry, if it has come. */
		@Nullable Lead lead() {
			Arrival arrival = this.seat.arrival().getNow(null);
			return (arrival instanceof Arrival.ToLoad order) ? order.lead() : null;
		}

		/** Nobody waits for the entry any more, nor will load it. */
		void leave() {
			Lead lead = this.seat.land(new Arrival.TimedOut()) ? null : lead();
			if (lead != null) {
				lead.leave();
			}
		}

	}

}
