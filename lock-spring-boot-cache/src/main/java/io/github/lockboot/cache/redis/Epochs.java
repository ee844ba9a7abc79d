package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The epochs of the caches, as far as this JVM knows them. One is used for two seconds at
 * most before Redis is asked again; from one second on it is asked in passing.
 */
final class Epochs {

	private static final long LIFE_NANOS = Duration.ofSeconds(2).toNanos();

	private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

	private final CacheStore store;

	private final MonotonicClock clock;

	private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, CompletableFuture<Long>> asking = new ConcurrentHashMap<>();

	Epochs(CacheStore store, MonotonicClock clock) {
		this.store = store;
		this.clock = clock;
	}

	/** Return the epoch to read with, or {@code null} if Redis has to be asked first. */
	@Nullable Sight find(String cache) {
		Known last = this.known.get(cache);
		if (last == null) {
			return null;
		}
		long now = this.clock.nanoTime();
		long age = now - last.askedNanos;
		if (age >= FRESH_NANOS) {
			ask(cache);
		}
		return (age < LIFE_NANOS) ? new Sight(last.epoch, now) : null;
	}

	/** Return the epoch to read with, asking Redis first if need be. */
	CompletableFuture<Sight> look(String cache) {
		Sight known = find(cache);
		return (known != null) ? CompletableFuture.completedFuture(known)
				: ask(cache).thenApply((epoch) -> new Sight(epoch, this.clock.nanoTime()));
	}

	/** Return the epoch where Redis can't be asked. */
	Sight findLast(String cache) {
		return new Sight(last(cache), this.clock.nanoTime());
	}

	private CompletableFuture<Long> ask(String cache) {
		CompletableFuture<Long> mine = new CompletableFuture<>();
		CompletableFuture<Long> others = this.asking.putIfAbsent(cache, mine);
		if (others != null) {
			return others;
		}
		askNow(cache).whenComplete((epoch, failure) -> {
			this.asking.remove(cache, mine);
			if (failure != null) {
				mine.completeExceptionally(failure);
			}
			else {
				mine.complete(epoch);
			}
		});
		return mine;
	}

	/** Ask Redis, with a command that is sent now. */
	CompletableFuture<Long> askNow(String cache) {
		long nanos = this.clock.nanoTime();
		return this.store.epoch(cache, last(cache)).thenApply((epoch) -> learn(cache, epoch, nanos));
	}

	CompletableFuture<Long> clear(String cache) {
		long nanos = this.clock.nanoTime();
		return this.store.clear(cache, last(cache)).thenApply((epoch) -> learn(cache, epoch, nanos));
	}

	/** Return the highest epoch known, 0 if none. */
	long last(String cache) {
		Known last = this.known.get(cache);
		return (last != null) ? last.epoch : 0;
	}

	/** Another JVM has told of a clear. */
	void learn(String cache, long epoch) {
		this.known.computeIfPresent(cache,
				(name, last) -> (epoch > last.epoch) ? new Known(epoch, last.askedNanos) : last);
	}

	/** Another JVM may have told of clears in vain: the next use of each epoch asks. */
	void doubt() {
		long old = this.clock.nanoTime() - LIFE_NANOS;
		this.known.replaceAll((cache, last) -> new Known(last.epoch, Math.min(last.askedNanos, old)));
	}

	private long learn(String cache, long epoch, long askedNanos) {
		Known merged = this.known.merge(cache, new Known(epoch, askedNanos), Known::newer);
		return merged.epoch;
	}

	private record Known(long epoch, long askedNanos) {

		Known newer(Known other) {
			return new Known(Math.max(this.epoch, other.epoch), Math.max(this.askedNanos, other.askedNanos));
		}

	}

	/**
	 * An epoch as a caller sees it.
	 *
	 * @param epoch the epoch
	 * @param nanos when the caller looked, in the time of the clock
	 */
	record Sight(long epoch, long nanos) {

	}

}
