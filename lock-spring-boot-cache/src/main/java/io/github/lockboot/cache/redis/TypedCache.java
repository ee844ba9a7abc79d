package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.protocol.Envelope;
import io.github.lockboot.cache.protocol.RedisTime;

/**
 * A cache with its settings and the type of its values: what a specification comes to.
 *
 * @param name name of the cache
 * @param settings its settings
 * @param values how its values are written
 * @param local copies of this JVM, or {@code null} if it keeps none
 */
record TypedCache(String name, CacheSettings settings, ValueSerializer values, @Nullable LocalCache local) {

	@Nullable Envelope open(byte[] entry) {
		return Envelope.open(entry, this.values.schema());
	}

	boolean isStale(Envelope envelope, RedisTime time) {
		return this.settings.staleTtl().toMillis() > 0 && time.millis() >= envelope.staleAtMillis();
	}

	/**
	 * Whether a fresh entry is to be loaded anew already: the likelier the nearer its
	 * end, and the longer its load takes.
	 */
	boolean isDue(Envelope envelope, RedisTime time) {
		double eagerness = this.settings.refreshAhead();
		if (eagerness == 0) {
			return false;
		}
		double aheadMicros = -envelope.loadMicros() * eagerness
				* Math.log(ThreadLocalRandom.current().nextDouble(Double.MIN_NORMAL, 1));
		return time.millis() + aheadMicros / 1000 >= envelope.staleAtMillis();
	}

	/**
	 * Make an entry of a value.
	 * @param graceMillis how long it may live at most, 0 for no such limit
	 * @return the entry, or {@code null} if such a value is not stored
	 */
	<T extends @Nullable Object> @Nullable SealedEntry seal(T value, CacheTerms<T> terms, long loadNanos,
			long graceMillis, RedisTime time) {
		long wantedMillis = terms.isStorable(value) ? freshMillis(value, terms) : 0;
		if (wantedMillis <= 0) {
			return null;
		}
		// also in the entry: a copy of it in a JVM ends when the entry says so
		long freshMillis = (graceMillis > 0) ? Math.min(graceMillis, wantedMillis) : wantedMillis;
		byte[] bytes = Envelope.seal(this.values.schema(), time.millis() + freshMillis,
				TimeUnit.NANOSECONDS.toMicros(loadNanos), this.values.write(value), this.settings.compressAbove());
		long lifeMillis = freshMillis + this.settings.staleTtl().toMillis();
		return new SealedEntry(bytes, (graceMillis > 0) ? Math.min(graceMillis, lifeMillis) : lifeMillis);
	}

	private <T extends @Nullable Object> long freshMillis(T value, CacheTerms<T> terms) {
		Duration asked = terms.ttlOf(value);
		if (asked != null) {
			return asked.toMillis();
		}
		Duration ttl = this.values.isNull(value) ? this.settings.nullTtl() : this.settings.ttl();
		double factor = 1 + this.settings.jitter() * ThreadLocalRandom.current().nextDouble(-1, 1);
		return (ttl.isZero()) ? 0 : Math.max(1, (long) (ttl.toMillis() * factor));
	}

	/** An entry for a value that is not kept: it replaces one, and is not stored. */
	SealedEntry nothing() {
		return new SealedEntry(new byte[0], this.settings.ttl().plus(this.settings.staleTtl()).toMillis());
	}

	/**
	 * An entry that is ready to be stored.
	 *
	 * @param bytes the entry
	 * @param lifeMillis how long it lives
	 */
	@SuppressWarnings("ArrayRecordComponent")
	record SealedEntry(byte[] bytes, long lifeMillis) {

	}

}
