package io.github.lockboot.cache.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheBatchLoader;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.engine.EntryRead.Step;
import io.github.lockboot.cache.engine.SingleFlight.Caller;
import io.github.lockboot.cache.engine.TypedCache.KeyedLoader;
import io.github.lockboot.cache.key.KeyEncoder;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;

/**
 * Reads several entries on the caller's thread. This caller first loads everything that
 * it has to load, some hundred keys at a time, and only then waits for the loads of
 * others, so that no two callers wait for each other.
 */
final class BatchRead<K, T extends @Nullable Object, X extends Throwable> {

	/** How long to gather keys that this caller has to load after all. */
	private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final EntryRead.Context context;

	private final TypedCache cache;

	private final CacheSpec<T> spec;

	private final CacheBatchLoader<K, T, X> loader;

	private final Map<K, KeyRead> entries = new LinkedHashMap<>();

	private final List<EntryKeys> unread = new ArrayList<>();

	private CompletableFuture<List<CompletableFuture<byte @Nullable []>>> nextRead = new CompletableFuture<>();

	BatchRead(EntryRead.Context context, TypedCache cache, CacheSpec<T> spec, Collection<K> keys,
			CacheBatchLoader<K, T, X> loader) {
		this.context = context;
		this.cache = cache;
		this.spec = spec;
		this.loader = loader;
		keys.forEach((key) -> this.entries.computeIfAbsent(key, KeyRead::new));
	}

	Map<K, T> run() throws X {
		try {
			List<KeyRead> all = List.copyOf(this.entries.values());
			for (int i = 0; i < all.size(); i += CacheStore.MAX_BATCH) {
				List<KeyRead> chunk = all.subList(i, Math.min(i + CacheStore.MAX_BATCH, all.size()));
				chunk.forEach((entry) -> entry.step = entry.read.start());
				proceed(chunk);
			}
			awaitOthers();
		}
		catch (Throwable ex) {
			this.entries.values().forEach(KeyRead::leave);
			throw ex;
		}
		return values();
	}

	/**
	 * Continue until each entry has a value or waits for another caller, and load
	 * together what this caller has to load.
	 */
	private void proceed(List<KeyRead> some) throws X {
		boolean moved = true;
		while (moved) {
			readTogether();
			awaitDecisions(some);
			moved = false;
			for (KeyRead entry : some) {
				moved |= entry.proceed();
			}
		}
		loadTogether(some);
		for (KeyRead entry : some) {
			entry.throwFailure();
		}
	}

	private CompletableFuture<byte @Nullable []> read(EntryKeys keys) {
		int index = this.unread.size();
		this.unread.add(keys);
		return this.nextRead.thenCompose((replies) -> replies.get(index));
	}

	private void readTogether() {
		if (!this.unread.isEmpty()) {
			this.nextRead.complete(this.context.store().readAll(List.copyOf(this.unread)));
			this.nextRead = new CompletableFuture<>();
			this.unread.clear();
		}
	}

	/**
	 * Wait until the loading JVM of each entry is known; an entry that takes longer is
	 * left for later.
	 */
	private void awaitDecisions(List<KeyRead> some) {
		CompletableFuture<?>[] decisions = some.stream()
			.map((entry) -> entry.step.caller())
			.filter(Objects::nonNull)
			.map(Caller::decided)
			.toArray(CompletableFuture[]::new);
		this.context.store().await(CompletableFuture.allOf(decisions));
	}

	private void loadTogether(List<KeyRead> some) throws X {
		List<KeyRead> missing = some.stream().filter((entry) -> entry.step instanceof Step.Miss).toList();
		if (missing.isEmpty()) {
			return;
		}
		Load load = this.context.flights()
			.newLoad(this.cache, missing.stream().<@Nullable SingleFlight>map((entry) -> entry.step.flight()).toList());
		Map<K, T> loaded = load.run(() -> this.loader.load(missing.stream().map((entry) -> entry.key).toList()));
		List<CompletableFuture<?>> delivered = new ArrayList<>();
		for (KeyRead entry : missing) {
			SingleFlight flight = entry.step.flight();
			T value = valueOf(loaded, entry.key);
			entry.step = new Step.Done<>(value);
			delivered.add(entry.read.deliver(flight, load, value));
		}
		delivered.forEach(this.context.store()::await);
	}

	/**
	 * Take the results of others as they arrive. After the wait time, which starts for
	 * all entries here, this caller loads the entries that no caller of this JVM loads.
	 */
	private void awaitOthers() throws X {
		BlockingQueue<KeyRead> arrivals = new LinkedBlockingQueue<>();
		long waiting = this.entries.values().stream().filter((entry) -> entry.awaitOthers(arrivals)).count();
		while (waiting > 0) {
			List<KeyRead> arrived = awaitArrivals(arrivals, Math.min(waiting, CacheStore.MAX_BATCH));
			proceed(arrived);
			waiting -= arrived.stream().filter((entry) -> !entry.awaitOthers(arrivals)).count();
		}
	}

	/** Gather the entries that arrive about the same time, to load them together. */
	private List<KeyRead> awaitArrivals(BlockingQueue<KeyRead> arrivals, long most) {
		List<KeyRead> arrived = new ArrayList<>();
		try {
			KeyRead next = arrivals.take();
			long endNanos = System.nanoTime() + GATHER_NANOS;
			while (next != null) {
				arrived.add(next);
				next = (arrived.size() < most) ? arrivals.poll(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)
						: null;
			}
			return arrived;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new CacheInterruptedException(this.cache.name(), String.valueOf(this.entries.keySet()), ex);
		}
	}

	@SuppressWarnings("NullAway") // a missing value is a null
	private static <K, T extends @Nullable Object> T valueOf(Map<K, T> loaded, K key) {
		return loaded.get(key);
	}

	private Map<K, T> values() {
		Map<K, T> values = new LinkedHashMap<>();
		this.entries.forEach((key, entry) -> {
			if (entry.step instanceof Step.Done<T> done && !this.cache.isNull(done.value())) {
				values.put(key, done.value());
			}
		});
		return values;
	}

	/**
	 * A key and the state of its read.
	 */
	private final class KeyRead {

		private final K key;

		private final EntryRead<T> read;

		private Step<T> step = new Step.Miss<>(null);

		KeyRead(K key) {
			this.key = key;
			TypedCache cache = BatchRead.this.cache;
			String text = KeyEncoder.of(cache.name(), key);
			CacheLoader<T, X> alone = () -> valueOf(BatchRead.this.loader.load(List.of(key)), key);
			this.read = new EntryRead<>(BatchRead.this.context, cache, text,
					new KeyedLoader<>(cache, BatchRead.this.spec.tags(), key, text, BatchRead.this.loader, alone),
					BatchRead.this::read);
		}

		/** Take the next step, unless the entry waits for another caller. */
		boolean proceed() {
			Caller caller = this.step.caller();
			if (!(this.step instanceof Step.Wait<T> wait) || (caller != null && !caller.isDone())) {
				return false;
			}
			this.step = wait.next().get();
			return true;
		}

		/**
		 * Queue this entry when another caller has loaded it.
		 * @return false if the entry waits for no caller
		 */
		boolean awaitOthers(BlockingQueue<KeyRead> arrivals) {
			Caller caller = this.step.caller();
			if (caller != null) {
				this.read.limit(caller);
				caller.thenRun(() -> arrivals.add(this));
			}
			return caller != null;
		}

		@SuppressWarnings("unchecked") // the failure of another caller's loader
		void throwFailure() throws X {
			if (this.step instanceof Step.Failed<T> failed) {
				throw (X) failed.failure();
			}
		}

		/** Stop waiting and loading; loaded values are kept. */
		void leave() {
			Caller caller = this.step.caller();
			SingleFlight flight = this.step.flight();
			if (caller != null) {
				caller.leave();
			}
			else if (flight != null) {
				flight.leave();
			}
		}

	}

}
