package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.engine.Load.LoadLease;
import io.github.lockboot.cache.engine.TypedCache.KeyedLoader;
import io.github.lockboot.cache.engine.TypedCache.SealedEntry;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore.AcquireReply;
import io.github.lockboot.cache.protocol.CacheStore.Acquisition;
import io.github.lockboot.cache.transaction.Transactions.Change;
import io.github.lockboot.concurrent.DaemonThreads;
import io.github.lockboot.concurrent.FutureWait;

/**
 * Refreshes entries in the background while the old ones are served: one load for an
 * entry in all JVMs, on a few threads that end when they are idle. A refresh that these
 * threads cannot accept is left to a later call. A refresh that still runs after the
 * longest load no longer counts: another thread replaces its thread.
 */
final class Refreshes implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Refreshes.class);

	private static final int THREADS = 4;

	private static final int QUEUE = 100;

	/** Most threads that are replaced at a time. */
	private static final int MOST_OVERDUE = 100;

	/**
	 * Pause after a failed load, in all JVMs, and after a refresh that another JVM runs.
	 */
	private static final Duration PAUSE = Duration.ofSeconds(1);

	private final SingleFlights flights;

	/** Decorates a load, on the thread of the caller that caused it. */
	private final UnaryOperator<Runnable> background;

	/** By entry, the end of a refresh of this JVM; also during a pause after it. */
	private final Map<Change, CompletableFuture<Boolean>> busy = new ConcurrentHashMap<>();

	private final ThreadPoolExecutor executor;

	private final ReentrantLock resizing = new ReentrantLock();

	private int overdue;

	Refreshes(SingleFlights flights, UnaryOperator<Runnable> background) {
		this.flights = flights;
		this.background = background;
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE),
				new DaemonThreads("cache-refresh"));
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Refresh an entry with the context of the caller's thread, unless another caller
	 * refreshes it.
	 * @param old the entry that is served in the meantime
	 * @return whether a new entry was stored
	 */
	<T extends @Nullable Object> CompletableFuture<Boolean> start(TypedCache cache, String key,
			CompletableFuture<OldEntry> old, KeyedLoader<T> loader) {
		Change entry = new Change(cache.name(), key);
		CompletableFuture<Boolean> end = new CompletableFuture<>();
		if (this.busy.putIfAbsent(entry, end) != null) {
			return CompletableFuture.completedFuture(false);
		}
		try {
			KeyedLoader<T> repeatable = loader.inBackground();
			// what decorates the task may fail, or not run it
			Runnable task = this.background.apply(() -> refresh(cache, entry, old, repeatable, end));
			CompletableFuture.runAsync(task, this.executor)
				.whenComplete((done, failure) -> end.completeExceptionally((failure != null) ? failure
						: new IllegalStateException("What the load is wrapped in has not run it")));
		}
		catch (RuntimeException | Error ex) {
			end.completeExceptionally(ex);
		}
		return end.handle((stored, failure) -> {
			if (failure != null) {
				cache.report(CacheEvent.REFRESH_FAILED);
				logger.debug("An entry of cache '" + cache.name() + "' could not be reloaded; the old one is served",
						failure);
			}
			if (Boolean.TRUE.equals(stored)) {
				this.busy.remove(entry, end);
				return true;
			}
			this.flights.store().clock().schedule(PAUSE, () -> this.busy.remove(entry, end));
			return false;
		});
	}

	private <T extends @Nullable Object> void refresh(TypedCache cache, Change entry, CompletableFuture<OldEntry> known,
			KeyedLoader<T> loader, CompletableFuture<Boolean> end) {
		OldEntry old;
		LoadLease lease;
		Load load = this.flights.newLoad(cache, Set.of());
		// of the places for the few refreshes that run at a time
		AtomicBoolean left = new AtomicBoolean();
		try {
			old = FutureWait.join(known);
			lease = acquire(cache, old, () -> {
				this.busy.remove(entry, end);
				if (left.compareAndSet(false, true)) {
					resize(1);
					load.reportOverdue(String.valueOf(entry.key()));
				}
			});
		}
		catch (CompletionException ex) {
			cache.report(CacheEvent.REDIS_FAILED);
			end.complete(false);
			return;
		}
		if (lease == null) {
			end.complete(false);
			return;
		}
		try {
			T value = load.run(loader::load);
			// a value that is loaded after a put is not older than the put
			SealedEntry sealed = cache.seal(value, loader, loader.tags(), load.tagPosition(), load.tookNanos(),
					lease.longestLifeMillis(), old.version);
			end.complete(store(cache, old.keys, sealed, lease));
		}
		catch (Throwable ex) {
			lease.release(PAUSE);
			end.completeExceptionally(ex);
		}
		finally {
			if (!left.compareAndSet(false, true)) {
				resize(-1);
			}
		}
	}

	/** Return the right to load, or {@code null} if another caller has the right. */
	private @Nullable LoadLease acquire(TypedCache cache, OldEntry old, Runnable onExpiry) {
		String attempt = this.flights.store().newAttempt();
		AcquireReply reply = FutureWait.join(this.flights.store()
			.acquire(old.keys, new Acquisition(attempt, cache.leaseMillis(), old.mark, false, null))
			.whenComplete((done, failure) -> {
				if (failure != null) {
					this.flights.releaseUnknown(old.keys, attempt);
				}
			}));
		return (reply instanceof AcquireReply.Leased leased)
				? new LoadLease(this.flights.store(), cache, old.keys, leased, onExpiry).start() : null;
	}

	private boolean store(TypedCache cache, EntryKeys keys, @Nullable SealedEntry entry, LoadLease lease) {
		boolean stored = false;
		if (entry != null) {
			stored = FutureWait.join(lease.store(entry.envelope(), entry.lifeMillis()));
		}
		else {
			// the new value is not stored, and the old one must not be served
			lease.release(Duration.ZERO);
			FutureWait.join(this.flights.store().evict(cache.name(), keys, 0));
		}
		LocalCache local = cache.local();
		if (local != null) {
			local.drop(keys.data());
		}
		if (entry == null || stored) {
			cache.report((entry != null) ? CacheEvent.REFRESHED : CacheEvent.EVICTED);
		}
		return stored;
	}

	private void resize(int change) {
		this.resizing.lock();
		try {
			this.overdue += change;
			int threads = THREADS + Math.min(this.overdue, MOST_OVERDUE);
			// the core must not be larger than the maximum at any time
			this.executor.setCorePoolSize(Math.min(threads, this.executor.getMaximumPoolSize()));
			this.executor.setMaximumPoolSize(threads);
			this.executor.setCorePoolSize(threads);
		}
		finally {
			this.resizing.unlock();
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
		// refreshes in the queue do not run
		this.busy.values().forEach((end) -> end.complete(false));
	}

	/**
	 * The entry to replace.
	 *
	 * @param mark what identifies it: nothing if there is none
	 * @param version its version, {@code null} if it has none
	 */
	record OldEntry(EntryKeys keys, byte[] mark, @Nullable Long version) {

	}

}
