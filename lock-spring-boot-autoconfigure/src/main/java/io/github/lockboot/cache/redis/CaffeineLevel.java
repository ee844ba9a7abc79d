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

	CaffeineLevel(String cache, CacheSettings settings) {
		this.cache = cache;
		this.ttlNanos = settings.localTtl().toNanos();
		this.copies = Caffeine.newBuilder()
			.maximumSize(settings.localMax())
			.expireAfterWrite(settings.localTtl())
			.build();
	}

	@Override
	public @Nullable Envelope find(long epoch, String key) {
		Copy copy = this.copies.getIfPresent(CacheKeys.shorten(key));
		return (copy != null && copy.epoch == epoch && !copy.hasEnded()) ? copy.envelope : null;
	}

	@Override
	public long stamp(String data) {
		return this.changes.get(stripe(data)) + this.losses.get();
	}

	@Override
	public void keep(long epoch, String data, Envelope envelope, long stamp, long lifeMillis) {
		String key = CacheKeys.find(this.cache, data);
		if (key != null && lifeMillis > 0 && stamp(data) == stamp) {
			this.copies.put(key, copy(epoch, envelope, TimeUnit.MILLISECONDS.toNanos(lifeMillis)));
			if (stamp(data) != stamp) {
				this.copies.invalidate(key);
			}
		}
	}

	private Copy copy(long epoch, Envelope envelope, long lifeNanos) {
		boolean endsEarly = lifeNanos < this.ttlNanos;
		return new Copy(epoch, envelope, endsEarly, endsEarly ? System.nanoTime() + lifeNanos : 0);
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

	private static int stripe(String data) {
		return (data.hashCode() & Integer.MAX_VALUE) % STRIPES;
	}

	/**
	 * A copy of an entry.
	 *
	 * @param epoch epoch that it was read in
	 * @param envelope the entry
	 * @param endsEarly whether the entry ends before the time of copies is over
	 * @param endNanos when, in the time of {@link System#nanoTime()}
	 */
	private record Copy(long epoch, Envelope envelope, boolean endsEarly, long endNanos) {

		boolean hasEnded() {
			return this.endsEarly && System.nanoTime() - this.endNanos >= 0;
		}

	}

}
