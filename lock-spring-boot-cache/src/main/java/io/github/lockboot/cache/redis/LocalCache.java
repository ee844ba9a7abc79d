package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.Epochs.EpochView;

/**
 * Copies of the entries of a cache in this JVM, as bytes, so that no caller can change
 * another's value. They are in Caffeine, by the keys of their entries.
 */
final class LocalCache {

	private static final int STRIPES = 256;

	private final String cache;

	private final Cache<String, Copy> copies;

	private final long ttlNanos;

	private final long outageNanos;

	private final AtomicLongArray changes = new AtomicLongArray(STRIPES);

	private final AtomicLong losses = new AtomicLong();

	/**
	 * When a copy was kept last: time enough to drop what has ended, and Caffeine does
	 * not look at the clock at each read.
	 */
	private volatile long keptNanos;

	LocalCache(String cache, CacheSettings settings) {
		this.cache = cache;
		this.ttlNanos = settings.localTtl().toNanos();
		this.outageNanos = settings.localOutageTtl().toNanos();
		Caffeine<Object, Object> builder = Caffeine.newBuilder()
			.expireAfterWrite(Duration.ofNanos(Math.max(this.ttlNanos, this.outageNanos)))
			.ticker(() -> this.keptNanos);
		this.copies = (settings.localMaxBytes() > 0)
				? builder.maximumWeight(settings.localMaxBytes()).weigher(LocalCache::weigh).build()
				: builder.maximumSize(settings.localMax()).build();
	}

	private static int weigh(String key, Copy copy) {
		return key.length() + copy.envelope.bytes().length;
	}

	boolean servesOutages() {
		return this.outageNanos > 0;
	}

	/**
	 * Find a copy. Does not ask for the name of the entry, which takes longer to make
	 * than the rest of a hit.
	 * @param view what the caller knows of the epoch, and when that was
	 */
	@Nullable Envelope find(EpochView view, String key) {
		Copy copy = this.copies.getIfPresent(CacheKeys.shorten(key));
		return (copy != null && copy.serves(view, this.losses.get())) ? copy.envelope : null;
	}

	/**
	 * Find a copy that may be served because Redis fails, although its time is over or
	 * messages of its change may have been missed.
	 * @param data name of the entry
	 * @param nanos the time of the clock
	 */
	@Nullable Envelope findInOutage(String data, long nanos) {
		String key = (this.outageNanos > 0) ? CacheKeys.find(this.cache, data) : null;
		Copy copy = (key != null) ? this.copies.getIfPresent(key) : null;
		return (copy != null && copy.servesInOutage(data, nanos)) ? copy.envelope : null;
	}

	/**
	 * Return what must be the same when an entry is kept that was read from now on.
	 */
	long stamp(String data) {
		return this.changes.get(stripe(data)) + this.losses.get();
	}

	/**
	 * Keep a copy, unless its entry was changed meanwhile, in place of one of another
	 * epoch.
	 * @param view what the caller knew of the epoch before the entry was read; the time
	 * of the copy counts from then
	 * @param data name of the entry
	 * @param stamp what {@link #stamp} has returned before the entry was read
	 * @param lifeMillis how long it may live
	 */
	void keep(EpochView view, String data, Envelope envelope, long stamp, long lifeMillis) {
		String key = CacheKeys.find(this.cache, data);
		if (key != null && lifeMillis > 0 && stamp(data) == stamp) {
			long lifeNanos = Math.min(TimeUnit.MILLISECONDS.toNanos(lifeMillis), this.ttlNanos);
			this.keptNanos = view.nanos();
			this.copies.put(key, new Copy(view.epoch(), envelope, view.nanos() + lifeNanos,
					view.nanos() + this.outageNanos, this.losses.get()));
			if (stamp(data) != stamp) {
				this.copies.invalidate(key);
			}
		}
	}

	void drop(String data) {
		this.changes.incrementAndGet(stripe(data));
		String key = CacheKeys.find(this.cache, data);
		if (key != null) {
			this.copies.invalidate(key);
		}
	}

	/** Messages may be missed from now on: only an outage may still use the copies. */
	void invalidateAll() {
		this.losses.incrementAndGet();
	}

	void dropAll() {
		this.losses.incrementAndGet();
		this.copies.invalidateAll();
	}

	/** Return how many copies are kept, once Caffeine has dropped what it is to drop. */
	long size() {
		this.copies.cleanUp();
		return this.copies.estimatedSize();
	}

	private static int stripe(String data) {
		return (data.hashCode() & Integer.MAX_VALUE) % STRIPES;
	}

	/**
	 * A copy of an entry.
	 *
	 * @param epoch epoch that it was read in
	 * @param envelope the entry
	 * @param endNanos when its time is over, in the time of the clock
	 * @param outageEndNanos when it is over also while Redis fails
	 * @param losses how often messages may have been missed before it was read
	 */
	private record Copy(long epoch, Envelope envelope, long endNanos, long outageEndNanos, long losses) {

		boolean serves(EpochView view, long losses) {
			return this.epoch == view.epoch() && view.nanos() - this.endNanos < 0 && this.losses == losses;
		}

		boolean servesInOutage(String data, long nanos) {
			return nanos - this.outageEndNanos < 0
					&& data.substring(0, data.indexOf('{')).endsWith(":" + this.epoch + ":");
		}

	}

}
