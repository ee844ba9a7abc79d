package io.github.lockboot.cache.redis;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.redis.Epochs.Sight;

/**
 * Copies in Caffeine, by the keys of their entries.
 */
final class CaffeineLevel implements LocalLevel {

	private static final int STRIPES = 256;

	private final String cache;

	private final Cache<String, Copy> copies;

	private final long ttlNanos;

	private final AtomicLongArray changes = new AtomicLongArray(STRIPES);

	private final AtomicLong losses = new AtomicLong();

	/**
	 * When a copy was kept last: time enough to drop what has ended, and Caffeine does
	 * not look at the clock at each read.
	 */
	private volatile long keptNanos;

	CaffeineLevel(String cache, CacheSettings settings) {
		this.cache = cache;
		this.ttlNanos = settings.localTtl().toNanos();
		this.copies = Caffeine.newBuilder()
			.maximumSize(settings.localMax())
			.expireAfterWrite(settings.localTtl())
			.ticker(() -> this.keptNanos)
			.build();
	}

	@Override
	public @Nullable Envelope find(Sight sight, String key) {
		Copy copy = this.copies.getIfPresent(CacheKeys.shorten(key));
		return (copy != null && copy.serves(sight)) ? copy.envelope : null;
	}

	@Override
	public long stamp(String data) {
		return this.changes.get(stripe(data)) + this.losses.get();
	}

	@Override
	public void keep(Sight sight, String data, Envelope envelope, long stamp, long lifeMillis) {
		String key = CacheKeys.find(this.cache, data);
		if (key != null && lifeMillis > 0 && stamp(data) == stamp) {
			long lifeNanos = Math.min(TimeUnit.MILLISECONDS.toNanos(lifeMillis), this.ttlNanos);
			this.keptNanos = sight.nanos();
			this.copies.put(key, new Copy(sight.epoch(), envelope, sight.nanos() + lifeNanos));
			if (stamp(data) != stamp) {
				this.copies.invalidate(key);
			}
		}
	}

	@Override
	public void drop(String data) {
		this.changes.incrementAndGet(stripe(data));
		String key = CacheKeys.find(this.cache, data);
		if (key != null) {
			this.copies.invalidate(key);
		}
	}

	@Override
	public void dropAll() {
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
	 */
	private record Copy(long epoch, Envelope envelope, long endNanos) {

		boolean serves(Sight sight) {
			return this.epoch == sight.epoch() && sight.nanos() - this.endNanos < 0;
		}

	}

}
