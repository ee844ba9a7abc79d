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
 * The time of Redis, as this JVM knows it from asking now and then. The cache trusts no
 * clock of an application's server. Each server of Redis has a clock of its own, and what
 * one has written may be read on another after a fail-over or a move: where they differ,
 * the time is that of the one that is furthest behind. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class RedisTime {

	private static final long LIFE_NANOS = TimeUnit.SECONDS.toNanos(60);

	private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Clocks differ in speed by no more than one in so many. */
	private static final long DRIFT = 2_000;

	private final MonotonicClock clock;

	private final Supplier<Set<String>> servers;

	private final long memoryNanos;

	private final AtomicLong askedNanos;

	private final Map<String, Sample> samples = new ConcurrentHashMap<>();

	/** The servers at the last answer, and since when they are these. */
	private volatile Set<String> present = Set.of();

	private volatile long presentSinceNanos;

	/**
	 * Create a time that is not known yet.
	 * @param servers names of the present servers; the same object until they change
	 * @param memory how long what a server has written matters after it was replaced
	 */
	RedisTime(MonotonicClock clock, Supplier<Set<String>> servers, Duration memory) {
		this.clock = clock;
		this.servers = servers;
		this.memoryNanos = memory.toNanos();
		this.askedNanos = new AtomicLong(clock.nanoTime());
	}

	/** Whether to ask all servers again; true for one caller only. */
	boolean isDue() {
		long now = this.clock.nanoTime();
		long asked = this.askedNanos.get();
		boolean due = now - asked > LIFE_NANOS || (now - asked > RETRY_NANOS && !isKnown());
		return due && this.askedNanos.compareAndSet(asked, now);
	}

	private boolean isKnown() {
		return this.samples.keySet().containsAll(this.servers.get());
	}

	/** A server has answered; kept unless what is known already is more exact. */
	void add(String server, long sentNanos, long micros) {
		long now = this.clock.nanoTime();
		this.samples.compute(server, (name, known) -> (known == null || known.errorNanos(now) >= now - sentNanos)
				? new Sample(sentNanos, now, micros) : known);
		forgetThoseGone(now);
	}

	private void forgetThoseGone(long now) {
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
	 * Return a time that is not later than a moment of this JVM on any server.
	 * @param nanos the moment, in the time of the clock
	 * @return microseconds since 1970, or {@code null} while a server has not answered
	 */
	public @Nullable Long notAfter(long nanos) {
		return isKnown() ? this.samples.values()
			.stream()
			.map((sample) -> sample.notAfter(nanos))
			.min(Comparator.naturalOrder())
			.orElse(null) : null;
	}

	/** Return the time of Redis as far as it is known, in milliseconds since 1970. */
	public long millis() {
		long now = this.clock.nanoTime();
		return this.samples.values()
			.stream()
			.mapToLong((sample) -> sample.millis(now))
			.min()
			.orElseGet(System::currentTimeMillis);
	}

	/** What a server has answered. */
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
