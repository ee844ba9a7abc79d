package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.EntryKeys;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The right to load an entry: a lease in Redis, renewed at each third of it while the
 * load runs, up to the longest load. Without a lease in Redis, nothing is stored.
 */
final class LoadLease {

	private final CacheStore store;

	private final MonotonicClock clock;

	private final TypedCache cache;

	private final EntryKeys keys;

	/** The token of the lease, or {@code null} without one. */
	private final @Nullable String attempt;

	private final long graceMillis;

	private final Runnable onOverdue;

	private volatile boolean over;

	private volatile MonotonicClock.@Nullable Timer timer;

	/**
	 * Create a lease.
	 * @param attempt the attempt that has got it, or {@code null} to load without one
	 * @param graceMillis how long the entry may live at most, 0 for no such limit
	 * @param onOverdue called when the load takes too long; the lease is given back then
	 */
	LoadLease(CacheStore store, MonotonicClock clock, TypedCache cache, EntryKeys keys, @Nullable String attempt,
			long graceMillis, Runnable onOverdue) {
		this.store = store;
		this.clock = clock;
		this.cache = cache;
		this.keys = keys;
		this.attempt = attempt;
		this.graceMillis = graceMillis;
		this.onOverdue = onOverdue;
	}

	boolean mayStore() {
		return this.attempt != null;
	}

	long graceMillis() {
		return this.graceMillis;
	}

	LoadLease start() {
		keep(this.cache.settings().maxLoadTime());
		return this;
	}

	private void keep(Duration left) {
		Duration third = this.cache.settings().lease().dividedBy(3);
		Duration pause = (this.attempt == null || third.compareTo(left) > 0) ? left : third;
		this.timer = this.clock.schedule(pause, () -> {
			if (this.over) {
				return;
			}
			if (this.attempt == null || pause == left) {
				giveBack(Duration.ZERO);
				this.onOverdue.run();
				return;
			}
			keep(left.minus(pause));
			this.store.renew(this.keys, this.attempt, this.cache.settings().lease().toMillis());
		});
		if (this.over) {
			stop();
		}
	}

	/**
	 * Store what was loaded.
	 * @return whether it was stored: not if it was evicted meanwhile
	 */
	CompletableFuture<Boolean> store(byte[] entry, long lifeMillis) {
		stop();
		if (this.attempt == null) {
			throw new IllegalStateException("There is no lease to store anything with");
		}
		return this.store.store(this.keys, this.attempt, entry, lifeMillis).whenComplete((stored, failure) -> {
			if (failure != null) {
				giveBack(Duration.ZERO);
			}
		});
	}

	/**
	 * Give the lease back.
	 * @param pause how long no JVM is to load the entry, if nobody waits for it
	 * @return whether the lease still stood
	 */
	CompletableFuture<Boolean> giveBack(Duration pause) {
		stop();
		return (this.attempt != null) ? this.store.abandon(this.keys, this.attempt, pause.toMillis())
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
