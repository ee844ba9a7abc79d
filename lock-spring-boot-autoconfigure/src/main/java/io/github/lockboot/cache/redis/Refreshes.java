package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
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
import io.github.lockboot.cache.protocol.AcquireReply;
import io.github.lockboot.cache.protocol.Acquisition;
import io.github.lockboot.cache.protocol.CacheClock;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.TypedCache.SealedEntry;

/**
 * Loads entries anew in the background while the old ones are served: one load for an
 * entry in all JVMs, on a few threads that end when there is nothing to do. What they
 * can't take on is left to a later call.
 */
final class Refreshes implements AutoCloseable {

	private static final Log logger = LogFactory.getLog(Refreshes.class);

	private static final int THREADS = 4;

	private static final int QUEUE = 100;

	/** After a failed load, or while another JVM loads. */
	private static final Duration REST = Duration.ofSeconds(1);

	private final CacheStore store;

	private final CacheClock clock;

	private final CacheEvents events;

	private final Flights flights;

	private final Set<String> busy = ConcurrentHashMap.newKeySet();

	private final ThreadPoolExecutor executor;

	Refreshes(CacheStore store, CacheClock clock, CacheEvents events, Flights flights) {
		this.store = store;
		this.clock = clock;
		this.events = events;
		this.flights = flights;
		this.executor = new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(QUEUE),
				(task) -> {
					Thread thread = new Thread(task, "cache-refresh");
					thread.setDaemon(true);
					return thread;
				});
		this.executor.allowCoreThreadTimeOut(true);
	}

	/**
	 * Load an entry anew, unless somebody does already.
	 * @param old what is served meanwhile
	 */
	<T extends @Nullable Object> void start(TypedCache cache, EntryKeys keys, Envelope old, CacheLoader<T, ?> loader) {
		if (!this.busy.add(keys.data())) {
			return;
		}
		CacheLoader<T, ?> later = loader.inBackground();
		String attempt = this.flights.newAttempt();
		Acquisition wanted = new Acquisition(attempt, cache.settings().lease().toMillis(), Envelope.mark(old.bytes()),
				false, null);
		this.store.acquire(keys, wanted).whenComplete((reply, failure) -> {
			if (reply instanceof AcquireReply.Leased leased) {
				// not aboard anybody: who misses the entry meanwhile waits for it in
				// Redis
				Flight alone = new Flight(this.flights, cache, keys, null, List.of());
				run(cache, keys, later, new Lead(alone, attempt, leased.graceMillis()));
			}
			else {
				restAfter(keys);
			}
		});
	}

	private <T extends @Nullable Object> void run(TypedCache cache, EntryKeys keys, CacheLoader<T, ?> loader,
			Lead lead) {
		lead.keepLease();
		try {
			this.executor.execute(() -> refresh(cache, keys, loader, lead));
		}
		catch (RejectedExecutionException ex) {
			lead.giveUp();
			restAfter(keys);
		}
	}

	private <T extends @Nullable Object> void refresh(TypedCache cache, EntryKeys keys, CacheLoader<T, ?> loader,
			Lead lead) {
		LoadRun<T, ?> run = new LoadRun<>(cache, loader, this.events);
		try {
			T value = run.load();
			SealedEntry entry = run.seal(value, lead.graceMillis(), this.store.time());
			store(cache, keys, entry, lead).whenComplete((stored, failure) -> this.busy.remove(keys.data()));
		}
		catch (Throwable ex) {
			logger.debug("An entry of cache '" + cache.name() + "' could not be loaded anew; the old one is served",
					ex);
			this.events.tell(cache.name(), CacheEvent.REFRESH_FAILED);
			lead.giveUp();
			restAfter(keys);
		}
	}

	private CompletableFuture<?> store(TypedCache cache, EntryKeys keys, @Nullable SealedEntry entry, Lead lead) {
		Envelope envelope = (entry != null) ? cache.open(entry.bytes()) : null;
		if (entry != null && envelope != null) {
			return lead.store(envelope, entry.lifeMillis()).thenAccept((stored) -> {
				if (stored) {
					this.events.tell(cache.name(), CacheEvent.REFRESHED);
				}
				dropLocal(cache, keys);
			});
		}
		// the new value is not to be stored, and the old one not to be served
		lead.giveUp();
		return this.store.evict(cache.name(), keys, 0).thenRun(() -> {
			dropLocal(cache, keys);
			this.events.tell(cache.name(), CacheEvent.EVICTED);
		});
	}

	private static void dropLocal(TypedCache cache, EntryKeys keys) {
		LocalLevel level = cache.level();
		if (level != null) {
			level.drop(keys.data());
		}
	}

	private void restAfter(EntryKeys keys) {
		this.clock.schedule(REST, () -> this.busy.remove(keys.data()));
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
	}

}
