package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * What this JVM knows of the time of Redis, from asking for it now and then. No clock of
 * an application's server is trusted. Each server of Redis has a clock of its own, and
 * what one has written may be read on another after a fail-over or a move: where they
 * differ, the time is that of the one that is furthest behind. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class RedisTime {

	private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Clocks differ in speed by no more than one in so many. */
	private static final long DRIFT = 2_000;

	private final ReentrantLock mutex = new ReentrantLock();

	private final CacheClock clock;

	private final Supplier<Set<String>> servers;

	private final long memoryNanos;

	private final AtomicLong askedNanos;

	private final Map<String, Sample> samples = new ConcurrentHashMap<>();

	/** All of these have told. */
	private volatile @Nullable Set<String> told;

	/**
	 * Create a time that is not known yet.
	 * @param servers names of the present servers; the same object until they change
	 * @param memory how long what a server has written matters after it was replaced
	 */
	RedisTime(CacheClock clock, Supplier<Set<String>> servers, Duration memory) {
		this.clock = clock;
		this.servers = servers;
		this.memoryNanos = memory.toNanos();
		this.askedNanos = new AtomicLong(clock.nanoTime());
	}

	/** Whether to ask all servers again; true for one caller only. */
	boolean isDue() {
		long now = this.clock.nanoTime();
		long asked = this.askedNanos.get();
		boolean due = now - asked > LIFE_NANOS || (now - asked > RETRY_NANOS && !haveAllTold());
		return due && this.askedNanos.compareAndSet(asked, now);
	}

	private boolean haveAllTold() {
		Set<String> present = this.servers.get();
		if (present != this.told) {
			this.told = this.samples.keySet().containsAll(present) ? present : null;
		}
		return present == this.told;
	}

	/** A server has told its time; kept unless what is known already is more exact. */
	void add(String server, long sentNanos, long micros) {
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			Sample known = this.samples.get(server);
			if (known == null || known.errorNanos(now) >= now - sentNanos) {
				this.samples.put(server, new Sample(sentNanos, now, micros, null));
			}
			forgetThoseGone(now);
		}
		finally {
			this.mutex.unlock();
		}
	}

	private void forgetThoseGone(long now) {
		Set<String> present = this.servers.get();
		this.samples.replaceAll((server, sample) -> sample.gone(present.contains(server) ? null : now));
		this.samples.values().removeIf((sample) -> sample.isGoneFor(this.memoryNanos, now));
	}

	/**
	 * Return a time that is not later than a moment of this JVM on any server.
	 * @param nanos the moment, in the time of the clock
	 * @return microseconds since 1970, or {@code null} if not all servers have told
	 */
	public @Nullable Long notAfter(long nanos) {
		return haveAllTold() ? this.samples.values()
			.stream()
			.map((sample) -> sample.notAfter(nanos))
			.min(Comparator.naturalOrder())
			.orElse(null) : null;
	}

	/**
	 * Return the time of Redis as far as it is known.
	 * @return milliseconds since 1970
	 */
	public long millis() {
		long now = this.clock.nanoTime();
		return this.samples.values()
			.stream()
			.mapToLong((sample) -> sample.millis(now))
			.min()
			.orElseGet(System::currentTimeMillis);
	}

	/**
	 * What a server has told.
	 *
	 * @param goneNanos since when it is no server any more, {@code null} if it is one
	 */
	private record Sample(long sentNanos, long receivedNanos, long micros, @Nullable Long goneNanos) {

		long notAfter(long nanos) {
			long sinceNanos = nanos - this.receivedNanos;
			return this.micros + TimeUnit.NANOSECONDS.toMicros(sinceNanos - Math.abs(sinceNanos) / DRIFT);
		}

		long millis(long now) {
			long sinceNanos = now - (this.receivedNanos / 2 + this.sentNanos / 2);
			return TimeUnit.MICROSECONDS.toMillis(this.micros + TimeUnit.NANOSECONDS.toMicros(sinceNanos));
		}

		Sample gone(@Nullable Long now) {
			Long since = (now != null && this.goneNanos != null) ? this.goneNanos : now;
			return new Sample(this.sentNanos, this.receivedNanos, this.micros, since);
		}

		boolean isGoneFor(long nanos, long now) {
			return this.goneNanos != null && now - this.goneNanos > nanos;
		}

		long errorNanos(long nanos) {
			return this.receivedNanos - this.sentNanos + (nanos - this.receivedNanos) / DRIFT;
		}

	}

}
