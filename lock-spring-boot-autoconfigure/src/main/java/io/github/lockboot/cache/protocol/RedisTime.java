package io.github.lockboot.cache.protocol;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * What this JVM knows of the time of Redis, from asking for it now and then. No clock of
 * an application's server is trusted. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class RedisTime {

	private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(60);

	/** Clocks differ in speed by no more than one in so many. */
	private static final long DRIFT = 2_000;

	private final ReentrantLock mutex = new ReentrantLock();

	private final CacheClock clock;

	private final AtomicLong askedNanos;

	private volatile @Nullable Sample sample;

	RedisTime(CacheClock clock) {
		this.clock = clock;
		this.askedNanos = new AtomicLong(clock.nanoTime());
	}

	/** Whether to ask Redis again; true for one caller only. */
	boolean isDue() {
		long now = this.clock.nanoTime();
		long asked = this.askedNanos.get();
		return now - asked > LIFE_NANOS && this.askedNanos.compareAndSet(asked, now);
	}

	/** Redis has told its time; kept unless what is known already is more exact. */
	void add(long sentNanos, long micros) {
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			Sample known = this.sample;
			if (known == null || known.errorNanos(now) >= now - sentNanos) {
				this.sample = new Sample(sentNanos, now, micros);
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Return a time of Redis that is not later than a moment of this JVM.
	 * @param nanos the moment, in the time of the clock
	 * @return microseconds since 1970, or {@code null} if Redis never told
	 */
	public @Nullable Long notAfter(long nanos) {
		Sample known = this.sample;
		if (known == null) {
			return null;
		}
		long sinceNanos = nanos - known.receivedNanos;
		return known.micros + TimeUnit.NANOSECONDS.toMicros(sinceNanos - Math.abs(sinceNanos) / DRIFT);
	}

	/**
	 * Return the time of Redis as far as it is known.
	 * @return milliseconds since 1970
	 */
	public long millis() {
		Sample known = this.sample;
		if (known == null) {
			return System.currentTimeMillis();
		}
		long sinceNanos = this.clock.nanoTime() - (known.receivedNanos / 2 + known.sentNanos / 2);
		return TimeUnit.MICROSECONDS.toMillis(known.micros + TimeUnit.NANOSECONDS.toMicros(sinceNanos));
	}

	private record Sample(long sentNanos, long receivedNanos, long micros) {

		long errorNanos(long nanos) {
			return this.receivedNanos - this.sentNanos + (nanos - this.receivedNanos) / DRIFT;
		}

	}

}
