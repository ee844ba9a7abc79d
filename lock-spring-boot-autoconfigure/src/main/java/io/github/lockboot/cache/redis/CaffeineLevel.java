package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.protocol.Envelope;

/**
 * Copies in Caffeine.
 */
final class CaffeineLevel implements LocalLevel {

	private static final int STRIPES = 256;

	private final Cache<String, Copy> copies;

	private final long ttlNanos;

	private final AtomicLongArray changes = new AtomicLongArray(STRIPES);

	private final AtomicLong losses = new AtomicLong();

	CaffeineLevel(CacheSettings settings) {
		this.ttlNanos = settings.localTtl().toNanos();
		this.copies = Caffeine.newBuilder()
			.maximumSize(settings.localMax())
			.expireAfter(Expiry.<String, Copy>writing((data, copy) -> Duration.ofNanos(copy.lifeNanos)))
			.build();
	}

	@Override
	public @Nullable Envelope find(String data) {
		Copy copy = this.copies.getIfPresent(data);
		return (copy != null) ? copy.envelope : null;
	}

	@Override
	public long stamp(String data) {
		return this.changes.get(stripe(data)) + this.losses.get();
	}

	@Override
	public void keep(String data, Envelope envelope, long stamp, long lifeMillis) {
		long lifeNanos = Math.min(this.ttlNanos, TimeUnit.MILLISECONDS.toNanos(lifeMillis));
		if (lifeNanos > 0 && stamp(data) == stamp) {
			this.copies.put(data, new Copy(envelope, lifeNanos));
			if (stamp(data) != stamp) {
				this.copies.invalidate(data);
			}
		}
	}

	@Override
	public void drop(String data) {
		this.changes.incrementAndGet(stripe(data));
		this.copies.invalidate(data);
	}

	@Override
	public void dropAll() {
		this.losses.incrementAndGet();
		this.copies.invalidateAll();
	}

	private static int stripe(String data) {
		return (data.hashCode() & Integer.MAX_VALUE) % STRIPES;
	}

	private record Copy(Envelope envelope, long lifeNanos) {

	}

}
