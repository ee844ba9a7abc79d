package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.concurrent.MonotonicClock;

/**
 * The time of Redis, sampled from time to time, since the clocks of applications may be
 * wrong. Each server of Redis has its own clock, and what one server has written may be
 * read on another after a failover or a move of a slot: if the clocks differ, the time is
 * that of the server that is furthest behind. Thread-safe.
 */
@Internal
public final class RedisTime {

	private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Clocks drift by at most one part in this many. */
	private static final long DRIFT = 2_000;

	private final MonotonicClock clock;

	private final Supplier<Set<String>> servers;

	private final long memoryNanos;

	private final AtomicLong sampledNanos;

	private final Map<String, Sample> samples = new ConcurrentHashMap<>();

	/** The servers at the last sample, and since when they are the same. */
	private volatile Set<String> present = Set.of();

	private volatile long presentSinceNanos;

	/**
	 * Create an instance without samples.
	 * @param servers names of the present servers; the same object until they change
	 * @param memory how long the writes of a server matter after it was replaced
	 */
	RedisTime(MonotonicClock clock, Supplier<Set<String>> servers, Duration memory) {
		this.clock = clock;
		this.servers = servers;
		this.memoryNanos = memory.toNanos();
		this.sampledNanos = new AtomicLong(clock.nanoTime());
	}

	/** Return whether to sample all servers again: true for one caller only. */
	boolean isDue() {
		long now = this.clock.nanoTime();
		long sampled = this.sampledNanos.get();
		boolean due = now - sampled > LIFE_NANOS || (now - sampled > RETRY_NANOS && !isKnown());
		return due && this.sampledNanos.compareAndSet(sampled, now);
	}

	void forget() {
		this.samples.clear();
	}

	/** Return whether the time is not that of this JVM. */
	public boolean isSampled() {
		return !this.samples.isEmpty();
	}

	private boolean isKnown() {
		return this.samples.keySet().containsAll(this.servers.get());
	}

	/**
	 * Add a sample, unless the known sample of the server is more exact, and agrees: the
	 * clock of the server may have been set back.
	 */
	void add(String server, long sentNanos, long micros) {
		long now = this.clock.nanoTime();
		long latest = micros + TimeUnit.NANOSECONDS.toMicros(now - sentNanos);
		this.samples.compute(server, (name,
				known) -> (known == null || known.errorNanos(now) >= now - sentNanos || known.notAfter(now) > latest)
						? new Sample(sentNanos, now, micros) : known);
		removeOldServers(now);
	}

	private void removeOldServers(long now) {
		Set<String> servers = this.servers.get();
		if (!servers.equals(this.present)) {
			this.presentSinceNanos = now;
			this.present = servers;
		}
		else if (now - this.presentSinceNanos > this.memoryNanos) {
			this.samples.keySet().retainAll(servers);
		}
	}

	/**
	 * Convert a time of this JVM to a time that is not later on any server.
	 * @return microseconds since 1970, or {@code null} until all servers have replied, or
	 * if the clock stood still since that time
	 */
	public @Nullable Long notAfter(long nanos) {
		return (isKnown() && !this.clock.wasSuspendedSince(nanos)) ? this.samples.values()
			.stream()
			.map((sample) -> sample.notAfter(nanos))
			.min(Comparator.naturalOrder())
			.orElse(null) : null;
	}

	/**
	 * Return the estimated time of Redis, in milliseconds since 1970; the time of this
	 * JVM before the first sample.
	 */
	public long millis() {
		long now = this.clock.nanoTime();
		long least = Long.MAX_VALUE;
		// without a stream, since each hit asks
		for (Sample sample : this.samples.values()) {
			least = Math.min(least, sample.millis(now));
		}
		return (least < Long.MAX_VALUE) ? least : System.currentTimeMillis();
	}

	private record Sample(long sentNanos, long receivedNanos, long micros) {

		long notAfter(long nanos) {
			long sinceNanos = nanos - this.receivedNanos;
			return this.micros + TimeUnit.NANOSECONDS.toMicros(sinceNanos - Math.abs(sinceNanos) / DRIFT);
		}

		long millis(long now) {
			long sinceNanos = now - (this.receivedNanos / 2 + this.sentNanos / 2);
			return TimeUnit.MICROSECONDS.toMillis(this.micros + TimeUnit.NANOSECONDS.toMicros(sinceNanos));
		}

		long errorNanos(long nanos) {
			return this.receivedNanos - this.sentNanos + (nanos - this.receivedNanos) / DRIFT;
		}

	}

}
