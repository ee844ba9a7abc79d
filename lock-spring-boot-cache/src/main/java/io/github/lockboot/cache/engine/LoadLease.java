package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.protocol.CacheKeys.EntryKeys;
import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.CacheStore.AcquireReply.Leased;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The right to load an entry: a lease in Redis that is renewed after each third of its
 * time while the load runs, up to the longest load. Nothing is stored if Redis has
 * granted none.
 */
final class LoadLease {

	private final CacheStore store;

	private final TypedCache cache;

	private final EntryKeys keys;

	private final @Nullable Leased granted;

	private final Runnable onExpiry;

	private volatile boolean over;

	private volatile MonotonicClock.@Nullable Timer timer;

	/**
	 * Create a lease that is not yet renewed.
	 * @param onExpiry called after the longest load; the lease is released then
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
			this.store.renew(this.keys, renewed.attempt(), this.cache.leaseMillis());
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
