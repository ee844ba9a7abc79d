package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.concurrent.StageFailure;

/**
 * The epochs of the caches that this JVM has read. An epoch is used for at most two
 * seconds before it is requested again; after one second the request runs in the
 * background.
 */
final class Epochs {

	private static final long LIFE_NANOS = Duration.ofSeconds(2).toNanos();

	private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

	private final CacheStore store;

	private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, CompletableFuture<Long>> requests = new ConcurrentHashMap<>();

	Epochs(CacheStore store) {
		this.store = store;
	}

	/**
	 * Return the epoch to read with, or {@code null} if Redis has to be asked first.
	 */
	@Nullable EpochView find(String cache) {
		Known last = this.known.get(cache);
		if (last == null) {
			return null;
		}
		long now = this.store.clock().nanoTime();
		long age = now - last.requestedNanos;
		if (age >= FRESH_NANOS) {
			requestOnce(cache);
		}
		return (age < LIFE_NANOS) ? new EpochView(last.epoch, now) : null;
	}

	/** Return the epoch to read with, after a request to Redis if necessary. */
	CompletableFuture<EpochView> get(String cache) {
		EpochView found = find(cache);
		return (found != null) ? CompletableFuture.completedFuture(found)
				: requestOnce(cache).thenApply((epoch) -> new EpochView(epoch, this.store.clock().nanoTime()));
	}

	/** Return the epoch to use if Redis is not available. */
	EpochView lastKnown(String cache) {
		return new EpochView(last(cache), this.store.clock().nanoTime());
	}

	private CompletableFuture<Long> requestOnce(String cache) {
		CompletableFuture<Long> mine = new CompletableFuture<>();
		CompletableFuture<Long> present = this.requests.putIfAbsent(cache, mine);
		if (present != null) {
			return present;
		}
		request(cache).whenComplete((epoch, failure) -> {
			this.requests.remove(cache, mine);
			StageFailure.pass(epoch, failure, mine);
		});
		return mine;
	}

	/** Request the epoch with a command that is sent now. */
	CompletableFuture<Long> request(String cache) {
		long nanos = this.store.clock().nanoTime();
		return this.store.epoch(cache, last(cache)).thenApply((epoch) -> learn(cache, epoch, nanos));
	}

	CompletableFuture<Long> clear(String cache) {
		long nanos = this.store.clock().nanoTime();
		return this.store.clear(cache, last(cache)).thenApply((epoch) -> learn(cache, epoch, nanos));
	}

	/** Return the highest epoch known, 0 if none. */
	long last(String cache) {
		Known last = this.known.get(cache);
		return (last != null) ? last.epoch : 0;
	}

	/** Learn the epoch of a clear that another JVM has announced. */
	void learn(String cache, long epoch) {
		this.known.computeIfPresent(cache,
				(name, last) -> (epoch > last.epoch) ? new Known(epoch, last.requestedNanos) : last);
	}

	/**
	 * Expire all epochs, since announcements of clears may have been missed: the next use
	 * of each epoch requests it.
	 */
	void expireAll() {
		long old = this.store.clock().nanoTime() - LIFE_NANOS;
		this.known.replaceAll((cache, last) -> new Known(last.epoch, Math.min(last.requestedNanos, old)));
	}

	private long learn(String cache, long epoch, long requestedNanos) {
		return this.known.merge(cache, new Known(epoch, requestedNanos), Known::newer).epoch;
	}

	private record Known(long epoch, long requestedNanos) {

		Known newer(Known other) {
			return new Known(Math.max(this.epoch, other.epoch), Math.max(this.requestedNanos, other.requestedNanos));
		}

	}

	/**
	 * An epoch, and when a caller looked it up, in the time of the clock.
	 */
	record EpochView(long epoch, long nanos) {

	}

}
