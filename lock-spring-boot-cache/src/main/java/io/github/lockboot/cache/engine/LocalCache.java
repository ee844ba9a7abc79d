package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.engine.Epochs.EpochView;
import io.github.lockboot.cache.protocol.CacheKeys;
import io.github.lockboot.cache.protocol.Envelope;

/**
 * Copies of the entries of a cache in this JVM, kept in Caffeine by key. Copies are
 * bytes, so that no caller can change the value of another.
 */
final class LocalCache {

	private static final int STRIPES = 256;

	private final String cache;

	private final Supplier<Cache<String, Copy>> empty;

	private volatile Cache<String, Copy> copies;

	private final long ttlNanos;

	private final long outageNanos;

	/** Counts the changes of entries, to reject a copy that was read before a change. */
	private final AtomicLongArray changes = new AtomicLongArray(STRIPES);

	/** Counts how often messages about changes may have been missed. */
	private final AtomicLong losses = new AtomicLong();

	/** When the last copy was read: copies whose time ends make room for new ones. */
	private volatile long lastNanos;

	LocalCache(String cache, CacheSettings settings) {
		this.cache = cache;
		this.ttlNanos = settings.localTtl().toNanos();
		this.outageNanos = settings.localOutageTtl().toNanos();
		Caffeine<Object, Object> builder = Caffeine.newBuilder()
			.expireAfterWrite(Duration.ofNanos(Math.max(this.ttlNanos, this.outageNanos)))
			.ticker(() -> this.lastNanos);
		long maxBytes = settings.localMaxSize().toBytes();
		Caffeine<? super String, ? super Copy> limited = (maxBytes > 0)
				? builder.maximumWeight(maxBytes).weigher(LocalCache::weigh) : builder.maximumSize(settings.localMax());
		this.empty = limited::build;
		this.copies = this.empty.get();
	}

	private static int weigh(String key, Copy copy) {
		Envelope entry = copy.envelope;
		return key.length() + entry.value().length + ((entry.value() != entry.bytes()) ? entry.bytes().length : 0);
	}

	boolean servesOutages() {
		return this.outageNanos > 0;
	}

	/**
	 * Return a copy. The key is enough: to build the name of the entry takes longer than
	 * the rest of a hit.
	 * @param outage whether Redis fails, so that a copy may be served although its time
	 * has ended or messages about its change may have been missed
	 */
	@Nullable Envelope find(EpochView view, String key, boolean outage) {
		Copy copy = this.copies.getIfPresent(CacheKeys.shorten(key));
		if (copy == null || copy.epoch != view.epoch()) {
			return null;
		}
		boolean valid = outage ? view.nanos() - copy.outageEndNanos < 0
				: view.nanos() - copy.endNanos < 0 && copy.losses == this.losses.get();
		return valid ? copy.envelope : null;
	}

	/**
	 * Return the state to pass to {@link #keep} with an entry that is read from now on.
	 */
	long stamp(String data) {
		return this.changes.get(stripe(data)) + this.losses.get();
	}

	/**
	 * Keep a copy, unless its entry was changed since it was read, in place of a copy of
	 * another epoch.
	 * @param view the epoch before the entry was read; the time of the copy counts from
	 * then
	 * @param stamp what {@link #stamp} returned before the entry was read
	 */
	void keep(EpochView view, String data, Envelope envelope, long stamp, long lifeMillis) {
		String key = CacheKeys.find(this.cache, data);
		if (key != null && lifeMillis > 0 && stamp(data) == stamp) {
			this.lastNanos = view.nanos();
			long lifeNanos = Math.min(TimeUnit.MILLISECONDS.toNanos(lifeMillis), this.ttlNanos);
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

	/**
	 * Drop the copy of an entry about which Redis has just replied, if a change of the
	 * entry may have been missed: in the next outage the copy would be older than the
	 * reply.
	 * @param followed whether this JVM receives messages about changes
	 */
	void dropOutdated(String data, boolean followed) {
		String key = CacheKeys.find(this.cache, data);
		Copy copy = (key != null) ? this.copies.getIfPresent(key) : null;
		if (copy != null && (!followed || copy.losses != this.losses.get())) {
			this.copies.asMap().remove(key, copy);
		}
	}

	/**
	 * Invalidate all copies, since messages may be missed from now on: they are served in
	 * an outage only.
	 */
	void invalidateAll() {
		this.losses.incrementAndGet();
	}

	void dropAll() {
		this.losses.incrementAndGet();
		// the thread of Redis calls this, and to remove a million copies takes seconds
		this.copies = this.empty.get();
	}

	/** Return the number of copies after Caffeine has evicted those above its limit. */
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
	 * @param endNanos when its time ends, in the time of the clock
	 * @param outageEndNanos when its time ends while Redis fails
	 * @param losses the count of possible losses when it was read
	 */
	private record Copy(long epoch, Envelope envelope, long endNanos, long outageEndNanos, long losses) {

	}

}
