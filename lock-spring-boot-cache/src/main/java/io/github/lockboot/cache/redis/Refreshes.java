package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.protocol.AcquireReply;
import io.github.lockboot.cache.protocol.Acquisition;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.RedisTime;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Loads entries anew in the background while the old ones are served: one load for an
 * entry in all JVMs, on a few threads that end when there is nothing to do. What they
 * can't take on is left to a later call.
 */
final class Refreshes implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Refreshes.class);

	private static final int THREADS = 4;

	private static final int QUEUE = 100;

	/** After a failed load, in all JVMs, or while another one loads. */
	private static final Duration REST = Duration.ofSeconds(1);

	private final CacheStore store;

	private final MonotonicClock clock;

	private final CacheEvents events;

	private final SingleFlights flights;

	private final CacheThreads threads;

	private final Set<String> busy = ConcurrentHashMap.newKeySet();

	private final ThreadPoolExecutor executor;

	Refreshes(CacheStore store, MonotonicClock clock, CacheEvents events, SingleFlights flights, CacheThreads threads) {
		this.store = store;
		this.clock = clock;
		this.events = events;
		this.flights = flights;
		this.threads = threads;
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE),
				new DaemonThreads("cache-refresh"));
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Load an entry anew, unless somebody does already.
	 * @param old mark of what is served meanwhile
	 */
	<T extends @Nullable Object> void start(TypedCache cache, EntryKeys keys, byte[] old, CacheLoader<T, ?> loader) {
		if (!this.busy.contains(keys.data())) {
			start(prepare(cache, loader), keys, old);
		}
	}

	/** Take along what the load needs of the caller's thread. */
	<T extends @Nullable Object> Refresh<T> prepare(TypedCache cache, CacheLoader<T, ?> loader) {
		return new Refresh<>(cache, loader.inBackground(), this.threads.background());
	}

	/**
	 * Load an entry anew, unless somebody does already.
	 * @param old mark of what is served meanwhile, empty if there is nothing
	 * @return whether a new entry was stored
	 */
	CompletableFuture<Boolean> start(Refresh<?> refresh, EntryKeys keys, byte[] old) {
		if (!this.busy.add(keys.data())) {
			return CompletableFuture.completedFuture(false);
		}
		TypedCache cache = refresh.cache();
		String attempt = this.flights.newAttempt();
		CompletableFuture<Boolean> end = this.store
			.acquire(keys, new Acquisition(attempt, cache.settings().lease().toMillis(), old, false, null))
			.thenCompose((reply) -> {
				if (!(reply instanceof AcquireReply.Leased leased)) {
					return CompletableFuture.completedFuture(false);
				}
				LoadLease lease = new LoadLease(this.store, this.clock, cache, keys, attempt, leased.graceMillis(),
						() -> this.busy.remove(keys.data()));
				return load(refresh, keys, lease.start());
			})
			.exceptionally((failure) -> false);
		end.thenAccept((stored) -> {
			if (stored) {
				this.busy.remove(keys.data());
			}
			else {
				this.clock.schedule(REST, () -> this.busy.remove(keys.data()));
			}
		});
		return end;
	}

	private CompletableFuture<Boolean> load(Refresh<?> refresh, EntryKeys keys, LoadLease lease) {
		return refresh.run(this.executor, this.events, lease.graceMillis(), this.store::time)
			.thenCompose((entry) -> store(refresh.cache(), keys, entry, lease))
			.whenComplete((stored, failure) -> {
				if (failure != null) {
					failed(refresh.cache(), failure);
					lease.giveBack(REST);
				}
			});
	}

	private void failed(TypedCache cache, Throwable failure) {
		this.events.tell(cache.name(), CacheEvent.REFRESH_FAILED);
		logger.debug("An entry of cache '" + cache.name() + "' could not be loaded anew; the old one is served",
				failure);
	}

	private CompletableFuture<Boolean> store(TypedCache cache, EntryKeys keys, Optional<SealedEntry> sealed,
			LoadLease lease) {
		SealedEntry entry = sealed.orElse(null);
		if (entry != null) {
			return lease.store(entry.bytes(), entry.lifeMillis()).handle((stored, failure) -> {
				this.events.tellStore(cache.name(), stored, failure);
				boolean refreshed = Boolean.TRUE.equals(stored);
				if (refreshed) {
					this.events.tell(cache.name(), CacheEvent.REFRESHED);
				}
				dropLocal(cache, keys);
				return refreshed;
			});
		}
		// the new value is not to be stored, and the old one not to be served
		lease.giveBack(Duration.ZERO);
		return this.store.evict(cache.name(), keys, 0).thenApply((deleted) -> {
			dropLocal(cache, keys);
			this.events.tell(cache.name(), CacheEvent.EVICTED);
			return false;
		});
	}

	private static void dropLocal(TypedCache cache, EntryKeys keys) {
		LocalCache local = cache.local();
		if (local != null) {
			local.drop(keys.data());
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	/**
	 * A load that is to run on another thread than that of the caller which has brought
	 * it about. Made on the latter.
	 *
	 * @param <T> type of the value
	 */
	static final class Refresh<T extends @Nullable Object> {

		private final TypedCache cache;

		private final CacheLoader<T, ?> loader;

		private final CompletableFuture<Runnable> body = new CompletableFuture<>();

		private final Runnable task;

		Refresh(TypedCache cache, CacheLoader<T, ?> loader, UnaryOperator<Runnable> wrapping) {
			this.cache = cache;
			this.loader = loader;
			this.task = wrapping.apply(() -> this.body.join().run());
		}

		TypedCache cache() {
			return this.cache;
		}

		/**
		 * Load.
		 * @return the entry, or nothing if the value is not to be stored
		 */
		CompletableFuture<Optional<SealedEntry>> run(Executor executor, CacheEvents events, long graceMillis,
				Supplier<RedisTime> time) {
			LoadRun<T> run = new LoadRun<>(this.cache, this.loader, events);
			CompletableFuture<Optional<SealedEntry>> end = new CompletableFuture<>();
			this.body.complete(() -> {
				try {
					T value = run.load(this.loader::load);
					end.complete(Optional.ofNullable(run.seal(value, graceMillis, time.get())));
				}
				catch (Throwable ex) {
					end.completeExceptionally(ex);
				}
			});
			try {
				executor.execute(() -> runTask(end));
			}
			catch (RejectedExecutionException ex) {
				end.completeExceptionally(ex);
			}
			return end;
		}

		/**
		 * What the load is wrapped in may fail before it; the lease is given back then
		 * too.
		 */
		private void runTask(CompletableFuture<?> end) {
			try {
				this.task.run();
				end.completeExceptionally(new IllegalStateException("What the load is wrapped in has not run it"));
			}
			catch (Throwable ex) {
				end.completeExceptionally(ex);
			}
		}

	}

}
