package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Entries whose slot is migrated from one master of a cluster to another. Redis rejects
 * scripts on several keys meanwhile.
 */
@Timeout(180)
@SuppressWarnings("NullAway") // the cluster starts before the first test
class RedisCacheMovedSlotTests {

	private static RedisCluster cluster;

	private final int slot = cluster.slotOf("{product:42}");

	private static final int MOVES = Integer.getInteger("lockboot.cache.moves", 10);

	private final CacheFixture fixture = new CacheFixture(cluster);

	private final RedisCacheTemplate cache = this.fixture.template();

	private final RedisCacheTemplate other = this.fixture.template();

	private final RedisServer source = cluster.masterOf("{product:42}");

	private final RedisServer target = cluster.masters().get((cluster.masters().get(0) == this.source) ? 1 : 0);

	@BeforeEach
	void warmUp() {
		CacheFixture.warm(this.cache);
		CacheFixture.warm(this.other);
		this.cache.evict("product", 42);
		assertThat(this.cache.get(PRODUCT, 42, () -> "old")).isEqualTo("old");
		assertThat(this.other.get(PRODUCT, 42, this.fixture::load)).isEqualTo("old");
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@BeforeAll
	static void start() {
		cluster = RedisFixture.newCluster(2, 0);
	}

	@AfterAll
	static void closeCluster() {
		cluster.close();
	}

	@Test
	void anEntryIsFoundBeforeDuringAndAfterTheMove() {
		cluster.beginMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, 42, this.fixture::load)).isEqualTo("old");
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, 42, this.fixture::load)).isEqualTo("old");
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void aPutDuringTheMoveEvicts() {
		cluster.beginMove(this.slot, this.target);
		this.cache.put(PRODUCT, 42, "new");
		assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull();
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, 42, () -> "new")).isEqualTo("new");
	}

	@Test
	void aPutOfAVersionDuringTheMoveEvicts() {
		cluster.beginMove(this.slot, this.target);
		assertThatExceptionOfType(CacheUnavailableException.class)
			.isThrownBy(() -> this.cache.putIfNewer(PRODUCT, 42, "new", 7));
		assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull();
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, 42, () -> "new")).isEqualTo("new");
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "newer", 8)).isTrue();
	}

	@Test
	void aLoadFromBeforeAnEvictDuringTheMoveIsNotStoredAfterIt() {
		this.cache.evict("product", 42);
		try (HeldLoad held = new HeldLoad("old")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			cluster.beginMove(this.slot, this.target);
			this.other.evict("product", 42);
			cluster.finishMove(this.slot, this.target);
			held.release();
			assertThat(join(loading)).isEqualTo("old");
		}
		assertThat(this.other.get(PRODUCT, 42, () -> "new")).isEqualTo("new");
	}

	@Test
	void aLoadThatEndsDuringTheMoveReleasesItsLease() {
		this.cache.evict("product", 42);
		try (HeldLoad held = new HeldLoad("lost")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			cluster.beginMove(this.slot, this.target);
			held.release();
			assertThat(join(loading)).isEqualTo("lost");
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(8)) // the lease would last for ten seconds
			.until(() -> List.of().equals(this.source.command("KEYS", "*{product:42}:l")));
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, 42, () -> "stored")).isEqualTo("stored");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("stored");
	}

	@Test
	void callersDuringTheMoveRunTheirMethodAtMostOnce() {
		this.cache.evict("product", 42);
		cluster.beginMove(this.slot, this.target);
		List<String> values = this.fixture.inThreads(20,
				(i) -> ((i % 2 == 0) ? this.cache : this.other).get(PRODUCT, 42, this.fixture::load));
		assertThat(this.fixture.loads.get()).isBetween(1, 20);
		assertThat(values).allMatch((value) -> value.startsWith("value "));
		cluster.finishMove(this.slot, this.target);
		this.cache.get(PRODUCT, 42, () -> "stored");
		assertThat(this.other.get(PRODUCT, 42, this.fixture::load)).isEqualTo("stored");
	}

	@Test
	void noCallerReadsAnEntryThatWasEvictedBeforeItsCallWhileTheSlotMoves() {
		CacheSpec<Long> version = CacheSpec.of("product", Long.class);
		this.cache.evict("product", 42);
		AtomicLong row = new AtomicLong();
		AtomicLong promised = new AtomicLong();
		AtomicInteger stale = new AtomicInteger();
		AtomicInteger reads = new AtomicInteger();
		AtomicBoolean over = new AtomicBoolean();
		List<Future<Boolean>> readers = IntStream.range(0, 4).mapToObj((i) -> this.fixture.async(() -> {
			RedisCacheTemplate mine = (i % 2 == 0) ? this.cache : this.other;
			while (!over.get()) {
				long atLeast = promised.get();
				if (mine.get(version, 42, row::get) < atLeast) {
					stale.incrementAndGet();
				}
				reads.incrementAndGet();
			}
			return true;
		})).toList();
		Future<Boolean> writer = this.fixture.async(() -> {
			while (!over.get()) {
				long written = row.incrementAndGet();
				((written % 2 == 0) ? this.cache : this.other).evict("product", 42);
				promised.set(written);
			}
			return true;
		});
		for (int move = 0; move < MOVES; move++) {
			RedisServer next = (move % 2 == 0) ? this.target : this.source;
			cluster.beginMove(this.slot, next);
			int readSoFar = reads.get();
			long promisedSoFar = promised.get();
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> reads.get() > readSoFar + 50 && promised.get() > promisedSoFar + 10);
			cluster.finishMove(this.slot, next);
		}
		over.set(true);
		readers.forEach(CacheFixture::join);
		join(writer);
		assertThat(stale).hasValue(0);
	}

}
