package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.CacheStore.AcquireReply;
import io.github.lockboot.cache.protocol.CacheStore.Acquisition;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Refreshes entries in the background while the old ones are served: one load for an
 * entry in all JVMs, on a few threads that end when they are idle. A refresh that they
 * can't accept is left to a later call.
 */
final class Refreshes implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Refreshes.class);

	private static final int THREADS = 4;

	private static final int QUEUE = 100;

	/** After a failed load, in all JVMs, and after a refresh that another JVM runs. */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final CacheStore store;

	private final MonotonicClock clock;

	private final SingleFlights flights;

	private final CacheThreads threads;

	/** Entries with a refresh of this JVM, or a pause after one. */
	private final Set<String> busy = ConcurrentHashMap.newKeySet();

	private final ThreadPoolExecutor executor;

	Refreshes(CacheStore store, MonotonicClock clock, SingleFlights flights, CacheThreads threads) {
		this.store = store;
		this.clock = clock;
		this.flights = flights;
		this.threads = threads;
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE),
				new DaemonThreads("cache-refresh"));
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Refreshes an entry, unless another caller does.
	 * @param old mark of the entry that is served in the meantime
	 */
	<T extends @Nullable Object> void start(TypedCache cache, EntryKeys keys, byte[] old, CacheLoader<T, ?> loader) {
		if (!this.busy.contains(keys.data())) {
			prepare(cache, loader).start(keys, old);
		}
	}

	/** Captures the context of the caller's thread for the load. */
	<T extends @Nullable Object> Refresh<T> prepare(TypedCache cache, CacheLoader<T, ?> loader) {
		return new Refresh<>(cache, loader.inBackground());
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

	/**
	 * A load that another thread runs than that of the caller who caused it. Created on
	 * the caller's thread.
	 *
	 * @param <T> type of the value
	 */
	final class Refresh<T extends @Nullable Object> {

		private final TypedCache cache;

		private final CacheLoader<T, ?> loader;

		private final Runnable task;

		/** The lease, once the task may run. */
		private volatile @Nullable LoadLease lease;

		/** The loaded entry, absent if the value is not stored. */
		private final CompletableFuture<Optional<SealedEntry>> loaded = new CompletableFuture<>();

		private Refresh(TypedCache cache, CacheLoader<T, ?> loader) {
			this.cache = cache;
			this.loader = loader;
			this.task = Refreshes.this.threads.background().apply(this::load);
		}

		/**
		 * Loads the entry, unless another caller does.
		 * @param old mark of the entry that is served in the meantime, empty if there is
		 * none
		 * @return whether a new entry was stored
		 */
		CompletableFuture<Boolean> start(EntryKeys keys, byte[] old) {
			String data = keys.data();
			if (!Refreshes.this.busy.add(data)) {
				return CompletableFuture.completedFuture(false);
			}
			String attempt = Refreshes.this.flights.newAttempt();
			CompletableFuture<Boolean> end = Refreshes.this.store
				.acquire(keys, new Acquisition(attempt, this.cache.settings().lease().toMillis(), old, false, null))
				.thenCompose((reply) -> (reply instanceof AcquireReply.Leased leased)
						? lead(keys, attempt, leased.graceMillis()) : CompletableFuture.completedFuture(false))
				.exceptionally((failure) -> false);
			end.thenAccept((stored) -> {
				if (stored) {
					Refreshes.this.busy.remove(data);
				}
				else {
					Refreshes.this.clock.schedule(PAUSE, () -> Refreshes.this.busy.remove(data));
				}
			});
			return end;
		}

		private CompletableFuture<Boolean> lead(EntryKeys keys, String attempt, long graceMillis) {
			LoadLease lease = new LoadLease(Refreshes.this.store, Refreshes.this.clock, this.cache, keys, attempt,
					graceMillis, () -> Refreshes.this.busy.remove(keys.data()))
				.start();
			this.lease = lease;
			try {
				Refreshes.this.executor.execute(this::runTask);
			}
			catch (RejectedExecutionException ex) {
				this.loaded.completeExceptionally(ex);
			}
			return this.loaded.thenCompose((entry) -> store(keys, entry.orElse(null), lease))
				.whenComplete((stored, failure) -> {
					if (failure != null) {
						this.cache.report(CacheEvent.REFRESH_FAILED);
						logger.debug("An entry of cache '" + this.cache.name()
								+ "' could not be reloaded; the old one is served", failure);
						lease.release(PAUSE);
					}
				});
		}

		/** The wrapper of the task may fail too, or not run it. */
		private void runTask() {
			try {
				this.task.run();
				this.loaded
					.completeExceptionally(new IllegalStateException("What the load is wrapped in has not run it"));
			}
			catch (Throwable ex) {
				this.loaded.completeExceptionally(ex);
			}
		}

		private void load() {
			LoadLease lease = this.lease;
			if (lease == null) {
				return;
			}
			try {
				Load load = Refreshes.this.flights.newLoad(this.cache, Set.of());
				T value = load.run(this.loader::load);
				this.loaded.complete(Optional
					.ofNullable(this.cache.seal(value, this.loader, load.tookNanos(), lease.graceMillis())));
			}
			catch (Throwable ex) {
				this.loaded.completeExceptionally(ex);
			}
		}

		private CompletableFuture<Boolean> store(EntryKeys keys, @Nullable SealedEntry entry, LoadLease lease) {
			CompletableFuture<Boolean> stored;
			if (entry != null) {
				stored = lease.store(entry.bytes(), entry.lifeMillis());
			}
			else {
				// the new value is not stored, and the old one must not be served
				lease.release(Duration.ZERO);
				stored = Refreshes.this.store.evict(this.cache.name(), keys, 0).thenApply((deleted) -> false);
			}
			return stored.thenApply((refreshed) -> {
				LocalCache local = this.cache.local();
				if (local != null) {
					local.drop(keys.data());
				}
				if (entry == null || refreshed) {
					this.cache.report((entry != null) ? CacheEvent.REFRESHED : CacheEvent.EVICTED);
				}
				return refreshed;
			});
		}

	}

}
