package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The right to load an entry: a lease in Redis that is renewed after each third of its
 * time while the load runs, up to the longest load. Without a token there is no lease in
 * Redis, and nothing is stored.
 */
final class LoadLease {

	private final CacheStore store;

	private final TypedCache cache;

	private final EntryKeys keys;

	private final @Nullable String token;

	/** When the entry has to expire, {@code null} for no limit. */
	private final @Nullable Long graceEndNanos;

	private final Runnable onExpiry;

	private volatile boolean over;

	private volatile MonotonicClock.@Nullable Timer timer;

	/**
	 * Create a lease that is not yet renewed.
	 * @param onExpiry called after the longest load; the lease is released then
	 */
	LoadLease(CacheStore store, TypedCache cache, EntryKeys keys, @Nullable String token, @Nullable Long graceEndNanos,
			Runnable onExpiry) {
		this.store = store;
		this.cache = cache;
		this.keys = keys;
		this.token = token;
		this.graceEndNanos = graceEndNanos;
		this.onExpiry = onExpiry;
	}

	boolean mayStore() {
		return this.token != null;
	}

	/** Return how long an entry that is stored now may live at most. */
	long longestLifeMillis() {
		Long endNanos = this.graceEndNanos;
		return (endNanos != null) ? TimeUnit.NANOSECONDS.toMillis(endNanos - this.store.clock().nanoTime())
				: Long.MAX_VALUE;
	}

	LoadLease start() {
		renewLater(this.cache.settings().maxLoadTime());
		return this;
	}

	private void renewLater(Duration left) {
		Duration lease = this.cache.settings().lease();
		String renewed = (lease.dividedBy(3).compareTo(left) <= 0) ? this.token : null;
		Duration pause = (renewed != null) ? lease.dividedBy(3) : left;
		this.timer = this.store.clock().schedule(pause, () -> {
			if (this.over) {
				return;
			}
			if (renewed == null) {
				release(Duration.ZERO);
				this.onExpiry.run();
				return;
			}
			renewLater(left.minus(pause));
			this.store.renew(this.keys, renewed, lease.toMillis());
		});
		if (this.over) {
			stop();
		}
	}

	/**
	 * Store the loaded entry, which releases the lease.
	 * @return whether the entry was stored: not after an eviction, or if Redis failed
	 */
	CompletableFuture<Boolean> store(byte[] entry, long lifeMillis) {
		stop();
		String held = Objects.requireNonNull(this.token, "There is no lease to store an entry with");
		return this.store.store(this.keys, held, entry, lifeMillis).handle((stored, failure) -> {
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
		return (this.token != null) ? this.store.abandon(this.keys, this.token, pause.toMillis())
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
