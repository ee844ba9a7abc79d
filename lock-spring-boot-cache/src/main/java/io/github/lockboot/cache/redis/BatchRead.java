package io.github.lockboot.cache.redis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheBatchLoader;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.redis.EntryRead.Step;

/**
 * Reads several entries on the caller's thread. It loads together what it is to load,
 * some hundred keys at a time, and only then waits for what others load: so no two
 * callers wait for each other.
 *
 * @param <K> type of the keys
 * @param <T> type of the values
 * @param <X> what the loader may throw
 */
final class BatchRead<K, T extends @Nullable Object, X extends Throwable> {

	/** For how long to gather keys that have become this caller's to load. */
	private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final CacheContext context;

	private final TypedCache cache;

	private final CacheBatchLoader<K, T, X> loader;

	private final Map<K, Entry> entries = new LinkedHashMap<>();

	/** Entries that are to be read with one command. */
	private final List<EntryKeys> unread = new ArrayList<>();

	private final List<CompletableFuture<byte @Nullable []>> replies = new ArrayList<>();

	BatchRead(CacheContext context, TypedCache cache, Collection<K> keys, CacheBatchLoader<K, T, X> loader) {
		this.context = context;
		this.cache = cache;
		this.loader = loader;
		keys.forEach((key) -> this.entries.computeIfAbsent(key, Entry::new));
	}

	Map<K, T> run() throws X {
		try {
			for (List<Entry> some : chunks(this.entries.values())) {
				some.forEach(Entry::start);
				goOn(some);
			}
			awaitOthers();
			loadPastTheCache();
		}
		catch (Throwable ex) {
			this.entries.values().forEach(Entry::leave);
			throw ex;
		}
		return values();
	}

	private static <E> List<List<E>> chunks(Collection<E> all) {
		List<E> list = List.copyOf(all);
		List<List<E>> chunks = new ArrayList<>();
		for (int i = 0; i < list.size(); i += CacheContext.MOST_AT_ONCE) {
			chunks.add(list.subList(i, Math.min(i + CacheContext.MOST_AT_ONCE, list.size())));
		}
		return chunks;
	}

	/**
	 * Go on with some entries until each has a value or waits for another caller, and
	 * load together those that this caller is to load.
	 */
	private void goOn(List<Entry> some) throws X {
		boolean moved = true;
		while (moved) {
			readTogether();
			awaitDecisions(some);
			moved = false;
			for (Entry entry : some) {
				moved |= entry.goOn();
			}
		}
		loadTogether(some);
		for (Entry entry : some) {
			entry.throwFailure();
		}
	}

	private CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		CompletableFuture<byte @Nullable []> reply = new CompletableFuture<>();
		this.unread.add(keys);
		this.replies.add(reply);
		return reply;
	}

	private void readTogether() {
		if (this.unread.isEmpty()) {
			return;
		}
		List<CompletableFuture<byte @Nullable []>> read = this.context.store().readAll(this.unread);
		for (int i = 0; i < read.size(); i++) {
			CompletableFuture<byte @Nullable []> reply = this.replies.get(i);
			read.get(i).whenComplete((entry, failure) -> {
				if (failure != null) {
					reply.completeExceptionally(failure);
				}
				else {
					reply.complete(entry);
				}
			});
		}
		this.unread.clear();
		this.replies.clear();
	}

	/**
	 * Wait until it is known who loads; what is not known in time is waited for later.
	 */
	private void awaitDecisions(List<Entry> some) {
		CompletableFuture<?>[] decisions = some.stream().map(Entry::decided).toArray(CompletableFuture[]::new);
		try {
			CompletableFuture.allOf(decisions)
				.get(CacheStore.LONGEST_CONNECT.plus(this.context.patience()).toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			throw interrupted(ex);
		}
		catch (TimeoutException | ExecutionException ex) {
			return;
		}
	}

	private void loadTogether(List<Entry> some) throws X {
		Map<K, Waiter.ToLoad> orders = new LinkedHashMap<>();
		for (Entry entry : some) {
			Waiter.ToLoad order = entry.order();
			if (order != null) {
				orders.put(entry.key, order);
				entry.read.tellLoad(order);
			}
		}
		if (orders.isEmpty()) {
			return;
		}
		LoadRun<T> run = newRun();
		Map<K, T> loaded;
		List<SingleFlight> flights = orders.values().stream().map(Waiter.ToLoad::flight).toList();
		try {
			loaded = this.context.flights()
				.load(flights, () -> run.load(() -> this.loader.load(List.copyOf(orders.keySet()))));
		}
		catch (Throwable ex) {
			orders.values().forEach((order) -> order.flight().fail(order.lease(), ex));
			throw ex;
		}
		List<CompletableFuture<?>> stored = new ArrayList<>();
		for (Entry entry : some) {
			Waiter.ToLoad order = orders.get(entry.key);
			if (order != null) {
				T value = valueOf(loaded, entry.key);
				entry.step = new Step.Done<>(value);
				stored.add(entry.read.deliver(order, run, value));
			}
		}
		stored.forEach(this.context::await);
	}

	/**
	 * Take what others load as it comes. After the wait time, which is that of one call
	 * however many keys there are, this caller loads what no one in this JVM does.
	 */
	private void awaitOthers() throws X {
		BlockingQueue<Entry> arrivals = new LinkedBlockingQueue<>();
		Set<Entry> waiting = new LinkedHashSet<>(this.entries.values());
		waiting.removeIf((entry) -> !entry.awaitOthers(arrivals));
		long limitNanos = limitNanos();
		while (!waiting.isEmpty()) {
			List<Entry> arrived = await(arrivals, Math.min(waiting.size(), CacheContext.MOST_AT_ONCE), limitNanos);
			if (arrived.isEmpty()) {
				waiting.forEach(Entry::timeOut);
				limitNanos = limitNanos();
			}
			goOn(arrived);
			for (Entry entry : arrived) {
				if (!entry.awaitOthers(arrivals)) {
					waiting.remove(entry);
				}
			}
		}
	}

	private long limitNanos() {
		return System.nanoTime() + this.cache.settings().waitTimeout().plus(this.context.patience()).toNanos();
	}

	/** What has arrived to be loaded is gathered, so that it is not loaded one by one. */
	private List<Entry> await(BlockingQueue<Entry> arrivals, int most, long limitNanos) {
		List<Entry> arrived = new ArrayList<>();
		try {
			Entry next = arrivals.poll(limitNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
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
		return new CacheInterruptedException(this.cache.name(), String.valueOf(this.entries.keySet()), ex);
	}

	private void loadPastTheCache() throws X {
		List<Entry> rest = this.entries.values().stream().filter((entry) -> !entry.isDone()).toList();
		for (List<Entry> some : chunks(rest)) {
			some.forEach((entry) -> entry.read.tellLoad(null));
			Map<K, T> loaded = newRun().load(() -> this.loader.load(some.stream().map((entry) -> entry.key).toList()));
			some.forEach((entry) -> entry.step = new Step.Done<>(valueOf(loaded, entry.key)));
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
		this.entries.forEach((key, entry) -> {
			if (entry.step instanceof Step.Done<T> done && !this.cache.values().isNull(done.value())) {
				values.put(key, done.value());
			}
		});
		return values;
	}

	/**
	 * A key and how far its read is.
	 */
	private final class Entry {

		private final K key;

		private final EntryRead<T> read;

		private Step<T> step = new Step.Load<>(null);

		Entry(K key) {
			this.key = key;
			this.read = new EntryRead<>(BatchRead.this.context, BatchRead.this.cache,
					KeyEncoder.of(BatchRead.this.cache.name(), key), () -> loadAlone(key), BatchRead.this::read);
		}

		void start() {
			this.step = this.read.start();
		}

		/** Take the next step, unless that waits for another caller. */
		boolean goOn() {
			Waiter waiter = waiter();
			if (!(this.step instanceof Step.Wait<T> wait) || (waiter != null && waiter.isWaiting())) {
				return false;
			}
			this.step = wait.next().get();
			return true;
		}

		private @Nullable Waiter waiter() {
			return (this.step instanceof Step.Wait<T> wait) ? wait.waiter() : null;
		}

		CompletableFuture<?> decided() {
			Waiter waiter = waiter();
			SingleFlight flight = (waiter != null) ? waiter.flight() : null;
			return (flight != null) ? flight.decided() : CompletableFuture.completedFuture(null);
		}

		/** Be told when another caller has loaded; false if that is not waited for. */
		boolean awaitOthers(BlockingQueue<Entry> arrivals) {
			Waiter waiter = waiter();
			if (waiter != null) {
				waiter.outcome().thenRun(() -> arrivals.add(this));
			}
			return waiter != null;
		}

		void timeOut() {
			Waiter waiter = waiter();
			if (waiter != null) {
				this.read.timeOut(waiter);
			}
		}

		Waiter.@Nullable ToLoad order() {
			return (this.step instanceof Step.Load<T> load) ? load.order() : null;
		}

		boolean isDone() {
			return this.step instanceof Step.Done;
		}

		@SuppressWarnings("unchecked") // what the loader of another has thrown
		void throwFailure() throws X {
			if (this.step instanceof Step.Failed<T> failed) {
				throw (X) failed.failure();
			}
		}

		/** Wait and load no more; what was loaded is kept. */
		void leave() {
			Waiter waiter = waiter();
			Waiter.ToLoad order = order();
			if (waiter != null) {
				waiter.leave();
			}
			else if (order != null) {
				order.flight().leave(order.lease());
			}
		}

	}

}
