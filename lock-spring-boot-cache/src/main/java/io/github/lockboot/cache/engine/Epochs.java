package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.protocol.CacheStore;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.concurrent.StageFailure;

/**
 * The epochs of the caches that this JVM has read, and the evicts of their tags. An epoch
 * is used for at most two seconds before it is requested again; after one second the
 * request runs in the background. The evicts of the tags are requested likewise, where
 * tags are used: so a hit needs no request of its own, whatever its tags.
 */
final class Epochs {

	private static final long LIFE_NANOS = Duration.ofSeconds(2).toNanos();

	private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

	private final CacheStore store;

	private final ConcurrentMap<String, Known> known = new ConcurrentHashMap<>();

	/** By cache, and by the name of the tags, which is not that of a cache. */
	private final ConcurrentMap<String, TagEvicts> tags = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, CompletableFuture<Long>> requests = new ConcurrentHashMap<>();

	Epochs(CacheStore store) {
		this.store = store;
	}

	/**
	 * Return the epoch to read with, or {@code null} if Redis has to be asked first.
	 */
	@Nullable EpochView find(String cache) {
		TagEvicts tags = this.tags.get(cache);
		EpochView view = current(cache);
		return (tags == null || current(tags.name) != null) ? view : null;
	}

	private @Nullable EpochView current(String cache) {
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
		if (found != null) {
			return CompletableFuture.completedFuture(found);
		}
		TagEvicts tags = this.tags.get(cache);
		CompletableFuture<Long> requested = requestOnce(cache);
		if (tags != null) {
			requested = requested.thenCombine(requestOnce(tags.name), (epoch, position) -> epoch);
		}
		return requested.thenApply((epoch) -> new EpochView(epoch, this.store.clock().nanoTime()));
	}

	/**
	 * Return whether the evicts of a cache's tags are known; if not, {@link #get}
	 * requests them from now on.
	 */
	boolean knowsTags(String cache) {
		TagEvicts known = this.tags.get(cache);
		if (known == null) {
			TagEvicts added = new TagEvicts(cache);
			known = this.tags.computeIfAbsent(cache, (name) -> added);
			this.tags.put(known.name, known);
		}
		return known.complete > 0;
	}

	/** Return the highest position of an evict of a cache's tags that is known. */
	long position(String cache) {
		TagEvicts known = this.tags.get(cache);
		return (known != null) ? last(known.name) : 0;
	}

	/** Return whether a tag was evicted since the load of its entry began. */
	boolean isEvicted(String cache, Envelope.Tags tags) {
		TagEvicts known = this.tags.get(cache);
		return known != null && (known.isAfter(tags.position(), Envelope.Tags.ALL)
				|| tags.numbers().stream().anyMatch((tag) -> known.isAfter(tags.position(), tag)));
	}

	/** Evict the entries of a tag, with a command that is sent now. */
	CompletableFuture<Long> evict(String cache, int tag) {
		knowsTags(cache);
		return request(Objects.requireNonNull(this.tags.get(cache)), tag);
	}

	private CompletableFuture<Long> request(TagEvicts tags, @Nullable Integer evicted) {
		long nanos = this.store.clock().nanoTime();
		return this.store.tags(tags.cache, last(tags.name), tags.complete, evicted).thenApply((evicts) -> {
			long highest = evicts.values().stream().reduce(tags.complete, Math::max);
			evicts.forEach(tags::add);
			tags.complete = highest;
			return learn(tags.name, highest, nanos);
		});
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
		TagEvicts tags = this.tags.get(cache);
		if (tags != null && cache.equals(tags.name)) {
			return request(tags, null);
		}
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

	/** Learn the epoch of a clear, or an evict of a tag, that a JVM has announced. */
	void learn(String cache, long epoch) {
		int brace = cache.indexOf('{');
		TagEvicts tags = (brace >= 0) ? this.tags.get(cache.substring(0, brace)) : null;
		if (tags != null) {
			// before the position, which a load may note that begins now
			tags.add(Integer.parseInt(cache, brace + 1, cache.length() - 1, 10), epoch);
		}
		this.known.computeIfPresent((tags != null) ? tags.name : cache,
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

	/** The evicts of the tags of a cache. */
	private static final class TagEvicts {

		private final String cache;

		private final String name;

		/** The position of the last evict by the number of the tag. */
		private final Map<Integer, Long> positions = new ConcurrentHashMap<>();

		/** The position up to which all evicts are known: an announcement may be lost. */
		private volatile long complete;

		TagEvicts(String cache) {
			this.cache = cache;
			this.name = cache + "{}";
		}

		void add(int tag, long position) {
			this.positions.merge(tag, position, Math::max);
		}

		boolean isAfter(long position, int tag) {
			Long evicted = this.positions.get(tag);
			return evicted != null && evicted > position;
		}

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
