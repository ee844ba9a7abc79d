package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.redis.Evictions.Eviction;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * Evictions that failed, tried again until they succeed. Meanwhile this JVM does not use
 * their entries. Where there are too many of one cache, the whole of it is evicted.
 */
final class PendingEvictions {

	private static final int MOST = 10_000;

	private static final Duration PAUSE = Duration.ofMillis(500);

	private final Evictions evictions;

	private final MonotonicClock clock;

	private final CacheEvents events;

	private final ConcurrentMap<Entry, Retry> pending = new ConcurrentHashMap<>();

	private final AtomicLong added = new AtomicLong();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	PendingEvictions(Evictions evictions, MonotonicClock clock, CacheEvents events) {
		this.evictions = evictions;
		this.clock = clock;
		this.events = events;
	}

	/** Try an eviction again from now on; the newest of an entry wins. */
	void add(Eviction eviction) {
		this.events.tell(eviction.cache(), CacheEvent.EVICTION_RETRIED);
		if (this.pending.size() < MOST || eviction.key() == null) {
			put(eviction);
		}
		else {
			put(new Eviction(eviction.cache(), null, 0));
			this.pending.keySet().removeIf((entry) -> entry.cache.equals(eviction.cache()) && entry.key != null);
		}
		schedule();
	}

	private void put(Eviction eviction) {
		Entry entry = new Entry(eviction.cache(), eviction.key());
		this.pending.merge(entry, new Retry(entry, eviction, this.added.incrementAndGet()), Retry::after);
	}

	/** Return the eviction of an entry that is tried again at present. */
	@Nullable Retry find(String cache, @Nullable String key) {
		return this.pending.isEmpty() ? null : this.pending.get(new Entry(cache, key));
	}

	/**
	 * An eviction is no longer needed, since one that was sent later has succeeded. One
	 * that was added meanwhile stays.
	 */
	void remove(@Nullable Retry retry) {
		if (retry != null) {
			this.pending.remove(retry.entry, retry);
		}
	}

	boolean concerns(String cache, String key) {
		return !this.pending.isEmpty() && (this.pending.containsKey(new Entry(cache, key))
				|| this.pending.containsKey(new Entry(cache, null)));
	}

	private void schedule() {
		if (!this.pending.isEmpty() && this.scheduled.compareAndSet(false, true)) {
			this.clock.schedule(PAUSE, () -> {
				List<Retry> all = new ArrayList<>(this.pending.values());
				// what has just been changed is likely to be read
				all.sort(Comparator.comparingLong((Retry retry) -> retry.number).reversed());
				tryAgain(all);
			});
		}
	}

	/** Try some, and the rest when those are answered. */
	private void tryAgain(List<Retry> all) {
		List<Retry> some = all.subList(0, Math.min(all.size(), CacheContext.MOST_AT_ONCE));
		List<Retry> wanted = some.stream().filter((retry) -> this.pending.get(retry.entry) == retry).toList();
		List<CompletableFuture<?>> replies = this.evictions.run(wanted.stream().map(Retry::eviction).toList());
		for (int i = 0; i < wanted.size(); i++) {
			Retry retry = wanted.get(i);
			replies.get(i).thenRun(() -> succeeded(retry));
		}
		CompletableFuture.allOf(replies.toArray(CompletableFuture[]::new)).whenComplete((done, failure) -> {
			if (some.size() < all.size()) {
				tryAgain(all.subList(some.size(), all.size()));
			}
			else {
				this.scheduled.set(false);
				schedule();
			}
		});
	}

	private void succeeded(Retry retry) {
		remove(retry);
		this.events.tell(retry.entry.cache, CacheEvent.EVICTED);
	}

	/**
	 * A failed eviction, equal to no other: what it has evicted at last may have been
	 * changed again since then.
	 */
	static final class Retry {

		private final Entry entry;

		private final Eviction eviction;

		private final long number;

		private Retry(Entry entry, Eviction eviction, long number) {
			this.entry = entry;
			this.eviction = eviction;
			this.number = number;
		}

		Eviction eviction() {
			return this.eviction;
		}

		private Retry after(Retry newer) {
			return new Retry(this.entry, newer.eviction.after(this.eviction), newer.number);
		}

	}

	/**
	 * An entry of a cache, or all of them.
	 *
	 * @param cache name of the cache
	 * @param key the entry, or {@code null}
	 */
	private record Entry(String cache, @Nullable String key) {

	}

}
