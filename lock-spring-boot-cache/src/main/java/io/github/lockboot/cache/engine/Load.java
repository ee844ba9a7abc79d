package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.CacheStore.AcquireReply.Leased;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;

/**
 * One run of a loader: how long it takes, and which callers inside it wait for other
 * loads. These waits show loads that would wait for each other.
 */
final class Load {

	private static final Log logger = LogFactory.getLog(Load.class);

	private final TypedCache cache;

	private final MonotonicClock clock;

	/** The load that a thread runs, or that ran when the thread was started. */
	private final ThreadLocal<@Nullable Load> current;

	private final @Nullable Load outer;

	private final Consumer<Throwable> onFailure;

	/** The last evict of a tag that the loaded data have certainly seen. */
	private final long tagPosition;

	private final Set<Supplier<@Nullable Load>> waiting = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean reported = new AtomicBoolean();

	/** The thread that runs the loader at present, if any. */
	private volatile @Nullable Thread thread;

	private volatile long tookNanos;

	private volatile boolean over;

	Load(TypedCache cache, MonotonicClock clock, ThreadLocal<@Nullable Load> current, @Nullable Load outer,
			Consumer<Throwable> onFailure) {
		this.cache = cache;
		this.clock = clock;
		this.current = current;
		this.outer = outer;
		this.onFailure = onFailure;
		this.tagPosition = cache.tagPosition();
	}

	boolean isOver() {
		return this.over;
	}

	long tagPosition() {
		return this.tagPosition;
	}

	long tookNanos() {
		return this.tookNanos;
	}

	<V extends @Nullable Object, X extends Throwable> V run(CacheLoader<V, X> loader) throws X {
		long start = this.clock.nanoTime();
		try {
			V value = asCurrent(loader);
			ended(start, null);
			return value;
		}
		catch (Throwable ex) {
			ended(start, ex);
			throw ex;
		}
	}

	<T extends @Nullable Object> CompletableFuture<T> start(AsyncCacheLoader<T> loader) {
		long start = this.clock.nanoTime();
		CompletableFuture<T> value;
		try {
			CompletionStage<? extends T> stage = asCurrent(loader::load);
			Objects.requireNonNull(stage, "The loader has returned null instead of a stage");
			value = StageFailure.future(stage).<T>thenApply((loaded) -> loaded);
		}
		catch (Throwable ex) {
			value = CompletableFuture.failedFuture(ex);
		}
		return value
			.whenComplete((loaded, failure) -> ended(start, (failure != null) ? StageFailure.cause(failure) : null));
	}

	private <V extends @Nullable Object, X extends Throwable> V asCurrent(CacheLoader<V, X> loader) throws X {
		this.current.set(this);
		this.thread = Thread.currentThread();
		try {
			return loader.load();
		}
		finally {
			this.thread = null;
			if (this.outer != null) {
				this.current.set(this.outer);
			}
			else {
				this.current.remove();
			}
		}
	}

	private void ended(long start, @Nullable Throwable failure) {
		this.tookNanos = this.clock.nanoTime() - start;
		this.over = true;
		this.cache.listener().onLoad(this.cache.name(), Duration.ofNanos(this.tookNanos), failure != null);
		if (failure != null) {
			this.onFailure.accept(failure);
		}
	}

	/**
	 * Note that a call inside this load waits for another load.
	 * @param awaited returns the other load, once it runs in this JVM
	 * @param end completes when the call no longer waits
	 * @return false if the call would wait for itself
	 */
	boolean mayWait(Supplier<@Nullable Load> awaited, CompletableFuture<?> end) {
		this.waiting.add(awaited);
		end.thenRun(() -> this.waiting.remove(awaited));
		boolean outerMay = this.outer == null || this.outer.mayWait(awaited, end);
		// noted before: of two loads that start to wait for each other, one detects it
		return outerMay && !leadsHere(awaited.get(), new HashSet<>());
	}

	/**
	 * Warn once that callers have waited for this load, which may wait for one of them on
	 * another thread. The JVM does not tell which thread completes a future, so the cache
	 * cannot detect this wait, but the stack of the loader shows it.
	 */
	void reportWait(String key, Duration waited) {
		if (this.reported.compareAndSet(false, true)) {
			report(key, "callers waited " + waited.toMillis() + " ms", "If the loader waits for another thread that"
					+ " requests the same entry, it waits for itself until lock.cache.max-load-time ends: request the"
					+ " entry on the loader's own thread");
		}
	}

	/** Warn that a load in the background has taken longer than the longest load. */
	void reportOverdue(String key) {
		report(key, "lock.cache.max-load-time of " + this.cache.settings().maxLoadTime().toMillis() + " ms",
				"Callers get the old value meanwhile, and the new one is not stored: limit the time of what the loader"
						+ " waits for");
	}

	private void report(String key, String after, String advice) {
		Thread loader = this.thread;
		Throwable stack = new Throwable("where the loader is, not a failure");
		stack.setStackTrace((loader != null) ? loader.getStackTrace() : new StackTraceElement[0]);
		logger.warn("Entry '" + key + "' of cache '" + this.cache.name() + "' is still being loaded after " + after
				+ ", " + ((loader != null) ? "by thread '" + loader.getName() + "'" : "asynchronously") + ". " + advice,
				stack);
	}

	private boolean leadsHere(@Nullable Load load, Set<Load> seen) {
		return load == this || (load != null && seen.add(load)
				&& load.waiting.stream().anyMatch((awaited) -> leadsHere(awaited.get(), seen)));
	}

	/**
	 * The right to load an entry: a lease in Redis that is renewed after each third of
	 * its time while the load runs, up to the longest load. Nothing is stored if Redis
	 * has granted none.
	 */
	static final class LoadLease {

		private final CacheStore store;

		private final TypedCache cache;

		private final EntryKeys keys;

		private final @Nullable Leased granted;

		private final Runnable onExpiry;

		private volatile boolean over;

		private volatile MonotonicClock.@Nullable Timer timer;

		/**
		 * Create a lease that is not yet renewed.
		 * @param onExpiry called after the longest load, when the lease is released, or
		 * when the lease was lost
		 */
		LoadLease(CacheStore store, TypedCache cache, EntryKeys keys, @Nullable Leased granted, Runnable onExpiry) {
			this.store = store;
			this.cache = cache;
			this.keys = keys;
			this.granted = granted;
			this.onExpiry = onExpiry;
		}

		boolean mayStore() {
			return this.granted != null;
		}

		/** Return how long an entry that is stored now may live at most. */
		long longestLifeMillis() {
			Long endNanos = (this.granted != null) ? this.granted.graceEndNanos() : null;
			return (endNanos != null) ? TimeUnit.NANOSECONDS.toMillis(endNanos - this.store.clock().nanoTime())
					: Long.MAX_VALUE;
		}

		LoadLease start() {
			renewUntil(this.store.clock().nanoTime() + this.cache.settings().maxLoadTime().toNanos());
			return this;
		}

		private void renewUntil(long endNanos) {
			long now = this.store.clock().nanoTime();
			long third = TimeUnit.MILLISECONDS.toNanos(this.cache.leaseMillis()) / 3;
			Leased renewed = (third <= endNanos - now) ? this.granted : null;
			this.timer = this.store.clock().schedule((renewed != null) ? now + third : endNanos, () -> {
				if (this.over) {
					return;
				}
				if (renewed == null) {
					release(Duration.ZERO);
					this.onExpiry.run();
					return;
				}
				renewUntil(endNanos);
				this.store.renew(this.keys, renewed.attempt(), this.cache.leaseMillis()).thenAccept((held) -> {
					if (!held && !this.over) {
						// evicted: nobody waits for a value that is not stored
						stop();
						this.onExpiry.run();
					}
				});
			});
			if (this.over) {
				stop();
			}
		}

		/**
		 * Store the loaded entry, which releases the lease.
		 * @return whether the entry was stored: not after an eviction, or if Redis failed
		 */
		CompletableFuture<Boolean> store(Envelope entry, long lifeMillis) {
			stop();
			Leased held = Objects.requireNonNull(this.granted, "There is no lease to store an entry with");
			return this.store.store(this.keys, held, entry.bytes(), lifeMillis).handle((stored, failure) -> {
				if (failure != null) {
					release(Duration.ZERO);
				}
				boolean done = Boolean.TRUE.equals(stored);
				CacheEvent refused = (failure != null) ? CacheEvent.REDIS_FAILED : CacheEvent.REFUSED;
				this.cache.report(done ? CacheEvent.STORED : refused);
				return done;
			});
		}

		/**
		 * Release the lease.
		 * @param pause how long no JVM is to load the entry if no JVM waits for it
		 * @return whether the lease had not expired
		 */
		CompletableFuture<Boolean> release(Duration pause) {
			stop();
			return (this.granted != null) ? this.store.abandon(this.keys, this.granted.attempt(), pause.toMillis())
					: CompletableFuture.completedFuture(true);
		}

		private void stop() {
			this.over = true;
			MonotonicClock.Timer timer = this.timer;
			if (timer != null) {
				timer.cancel();
			}
		}

	}

}
