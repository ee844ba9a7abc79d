package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.protocol.AcquireReply;
import io.github.lockboot.cache.protocol.Acquisition;
import io.github.lockboot.cache.protocol.CacheClock;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;
import io.github.lockboot.concurrent.DaemonThreads;

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

	private final CacheClock clock;

	private final CacheEvents events;

	private final Flights flights;

	private final CacheThreads threads;

	private final Set<String> busy = ConcurrentHashMap.newKeySet();

	private final ThreadPoolExecutor executor;

	Refreshes(CacheStore store, CacheClock clock, CacheEvents events, Flights flights, CacheThreads threads) {
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
				// not aboard anybody: who misses the entry meanwhile waits for it in
				// Redis
				Flight alone = new Flight(this.flights, cache, keys, null, List.of());
				alone.pending().thenRun(() -> this.busy.remove(keys.data())); // also if
																				// it
																				// takes
																				// too
																				// long
				return load(refresh, keys, new Lead(alone, attempt, leased.graceMillis()));
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

	private CompletableFuture<Boolean> load(Refresh<?> refresh, EntryKeys keys, Lead lead) {
		lead.begin();
		return refresh.run(this.executor, this.events, lead.graceMillis(), this.store::time)
			.thenCompose((entry) -> store(refresh.cache(), keys, entry, lead))
			.whenComplete((stored, failure) -> {
				if (failure != null) {
					failed(refresh.cache(), failure);
					lead.giveUp(REST);
				}
			});
	}

	private void failed(TypedCache cache, Throwable failure) {
		this.events.tell(cache.name(), CacheEvent.REFRESH_FAILED);
		logger.debug("An entry of cache '" + cache.name() + "' could not be loaded anew; the old one is served",
				failure);
	}

	private CompletableFuture<Boolean> store(TypedCache cache, EntryKeys keys, Optional<SealedEntry> sealed,
			Lead lead) {
		SealedEntry entry = sealed.orElse(null);
		Envelope envelope = (entry != null) ? cache.open(entry.bytes()) : null;
		if (entry != null && envelope != null) {
			return lead.store(envelope, entry.lifeMillis()).whenComplete((stored, failure) -> {
				if (Boolean.TRUE.equals(stored)) {
					this.events.tell(cache.name(), CacheEvent.REFRESHED);
				}
				dropLocal(cache, keys);
			});
		}
		// the new value is not to be stored, and the old one not to be served
		lead.giveUp();
		return this.store.evict(cache.name(), keys, 0).thenApply((deleted) -> {
			dropLocal(cache, keys);
			this.events.tell(cache.name(), CacheEvent.EVICTED);
			return false;
		});
	}

	private static void dropLocal(TypedCache cache, EntryKeys keys) {
		LocalLevel level = cache.level();
		if (level != null) {
			level.drop(keys.data());
		}
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
