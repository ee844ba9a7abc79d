package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.protocol.CacheClock;
import io.github.lockboot.cache.redis.Evictions.Eviction;

/**
 * Evictions that failed, tried again until they succeed. Meanwhile this JVM does not use
 * their entries. Where there are too many of one cache, the whole of it is evicted.
 */
final class PendingEvictions {

	private static final int MOST = 10_000;

	private static final int AT_ONCE = 100;

	private static final Duration PAUSE = Duration.ofMillis(500);

	private final Evictions evictions;

	private final CacheClock clock;

	private final CacheEvents events;

	private final ConcurrentMap<Entry, Eviction> pending = new ConcurrentHashMap<>();

	private final AtomicBoolean scheduled = new AtomicBoolean();

	PendingEvictions(Evictions evictions, CacheClock clock, CacheEvents events) {
		this.evictions = evictions;
		this.clock = clock;
		this.events = events;
	}

	/** Try an eviction again from now on; the newest of an entry wins. */
	void add(Eviction eviction) {
		this.events.tell(eviction.cache(), CacheEvent.EVICTION_RETRIED);
		if (this.pending.size() < MOST || eviction.key() == null) {
			this.pending.put(new Entry(eviction.cache(), eviction.key()), eviction);
		}
		else {
			this.pending.put(new Entry(eviction.cache(), null), new Eviction(eviction.cache(), null, 0));
			this.pending.keySet().removeIf((entry) -> entry.cache.equals(eviction.cache()) && entry.key != null);
		}
		schedule();
	}

	/** An eviction is no longer needed, since a newer one has succeeded. */
	void remove(String cache, @Nullable String key) {
		if (!this.pending.isEmpty()) {
			this.pending.remove(new Entry(cache, key));
		}
	}

	boolean concerns(String cache, String key) {
		return !this.pending.isEmpty() && (this.pending.containsKey(new Entry(cache, key))
				|| this.pending.containsKey(new Entry(cache, null)));
	}

	private void schedule() {
		if (!this.pending.isEmpty() && this.scheduled.compareAndSet(false, true)) {
			this.clock.schedule(PAUSE, () -> {
				this.scheduled.set(false);
				tryAgain();
				schedule();
			});
		}
	}

	private void tryAgain() {
		List<Entry> some = new ArrayList<>(this.pending.keySet());
		// so that some that always fail do not keep the others waiting
		Collections.shuffle(some);
		for (Entry entry : some.subList(0, Math.min(some.size(), AT_ONCE))) {
			Eviction eviction = this.pending.get(entry);
			if (eviction != null) {
				this.evictions.run(eviction).thenRun(() -> {
					this.pending.remove(entry, eviction);
					this.events.tell(entry.cache, CacheEvent.EVICTED);
				});
			}
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
