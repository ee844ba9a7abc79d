package io.github.lockboot.cache.engine;

import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.NoRerun;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Concurrent loads, evicts and puts: a call after an evict or a put has returned sees
 * what was written before it, in either JVM.
 */
@NoRerun
@RedisTest
@Timeout(900)
class EvictRaceTests {

	/**
	 * The number that the documentation mentions needs
	 * {@code -Dlockboot.cache.races=100000}.
	 */
	private static final int RACES = Integer.getInteger("lockboot.cache.races", 2_000);

	private static final int FAULTS = Integer.getInteger("lockboot.cache.faults", 6);

	private static final CacheSpec<Long> VERSION = CacheSpec.of("version", Long.class);

	private final RedisServer redis;

	@AutoClose
	private final CacheFixture fixture;

	private final List<CacheTemplate> caches;

	/**
	 * The database: a row, and the lowest value that every caller must see from now on.
	 */
	private final AtomicLong row = new AtomicLong();

	private final AtomicLong promised = new AtomicLong();

	private final AtomicInteger stale = new AtomicInteger();

	private volatile long loadNanos = 1_000_000;

	EvictRaceTests(RedisServer redis) {
		this.redis = redis;
		this.fixture = new CacheFixture(redis);
		this.caches = List.of(this.fixture.template(), this.fixture.template());
	}

	@Test
	void noCallerReadsAnEntryThatWasEvictedBeforeItsCall() {
		AtomicBoolean over = new AtomicBoolean();
		List<Future<Integer>> readers = IntStream.range(0, 4)
			.mapToObj((i) -> this.fixture.async(() -> readUntil(over, this.caches.get(i % 2), 1)))
			.toList();
		for (int i = 0; i < RACES; i++) {
			CacheTemplate writer = this.caches.get(i % 2);
			long written = this.row.incrementAndGet();
			if (i % 3 == 0) {
				writer.put(VERSION, "row", written);
			}
			else {
				writer.evict("version", "row");
			}
			this.promised.set(written);
			// not always: otherwise the writer would wait for each load and never run
			// concurrently
			if (ThreadLocalRandom.current().nextInt(4) == 0) {
				read(this.caches.get(ThreadLocalRandom.current().nextInt(2)));
			}
		}
		over.set(true);
		assertThat(readers).allSatisfy((reader) -> assertThat(CacheFixture.join(reader)).isPositive());
		assertThat(this.stale).hasValue(0);
	}

	/** The other JVM evicts, while this one does not use Redis. */
	@Test
	void norIfCommandsOfItsJvmFail() {
		this.loadNanos = 20_000_000;
		AtomicBoolean over = new AtomicBoolean();
		try (RedisProxy network = new RedisProxy(this.redis); CacheFixture behind = new CacheFixture(network)) {
			CacheTemplate failing = CacheFixture.warm(behind.template(CacheFixture.BRISK));
			// they come at different times, also while another one loads
			List<Future<Integer>> readers = IntStream.range(0, 6)
				.mapToObj((i) -> this.fixture.async(() -> readUntil(over, failing, 5_000_000)))
				.toList();
			Future<Integer> writer = this.fixture.async(() -> evictUntil(over, this.caches.get(0)));
			for (int i = 0; i < FAULTS; i++) {
				network.holdAnswers();
				LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_500_000_000));
				network.releaseAnswers();
				LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(300_000_000));
			}
			over.set(true);
			assertThat(readers).allSatisfy((reader) -> assertThat(CacheFixture.join(reader)).isPositive());
			assertThat(CacheFixture.join(writer)).isPositive();
			assertThat(this.stale).hasValue(0);
		}
		finally {
			over.set(true);
		}
	}

	private int evictUntil(AtomicBoolean over, CacheTemplate cache) {
		int evicted = 0;
		while (!over.get()) {
			long written = this.row.incrementAndGet();
			cache.evict("version", "row");
			this.promised.set(written);
			LockSupport.parkNanos(2_000_000);
			evicted++;
		}
		return evicted;
	}

	private int readUntil(AtomicBoolean over, CacheTemplate cache, long mostPauseNanos) {
		int reads = 0;
		while (!over.get()) {
			read(cache);
			reads++;
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(mostPauseNanos));
		}
		return reads;
	}

	private void read(CacheTemplate cache) {
		long atLeast = this.promised.get();
		long found = cache.get(VERSION, "row", this::load);
		if (found < atLeast) {
			this.stale.incrementAndGet();
		}
	}

	private long load() {
		long value = this.row.get();
		// long enough for an occasional evict in between
		LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(this.loadNanos));
		return value;
	}

}
