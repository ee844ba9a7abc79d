package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheUnavailableException;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.engine.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The cache on a healthy cluster, also while a slot is migrated from one master to
 * another: Redis rejects scripts on several keys meanwhile.
 */
@Timeout(180)
@SuppressWarnings("NullAway") // the cluster starts before the first test
class RedisCacheClusterTests {

	/** The key whose slot is moved. */
	private static final String MOVED = "moved";

	private static final int MOVES = Integer.getInteger("lockboot.cache.moves", 10);

	@AutoClose
	private static RedisCluster cluster;

	private final CacheFixture fixture = new CacheFixture(cluster);

	private final CacheTemplate cache = this.fixture.template();

	private final CacheTemplate other = this.fixture.template();

	private final int slot = cluster.slotOf("{product:" + MOVED + "}");

	private final RedisServer source = cluster.masterOf("{product:" + MOVED + "}");

	private final RedisServer target = cluster.masters().get((cluster.masters().get(0) == this.source) ? 1 : 0);

	@AfterEach
	void close() {
		this.cache.clear("product");
		this.fixture.close();
	}

	@BeforeAll
	static void start() {
		cluster = RedisFixture.newCluster(3, 0);
	}

	@Test
	void entriesAreOnAllMastersAndAreFoundByAnotherJvm() {
		IntStream.range(0, 300).forEach((key) -> this.cache.get(PRODUCT, key, this.fixture::load));
		assertThat(cluster.masters()).allSatisfy((master) -> assertThat(entriesOn(master)).hasSizeGreaterThan(50));
		IntStream.range(0, 300)
			.forEach((key) -> assertThat(this.other.get(PRODUCT, key, this.fixture::load))
				.isEqualTo("value " + (key + 1)));
		assertThat(this.fixture.loads).hasValue(300);
	}

	@Test
	void aCallerThatWaitsForALoadOnAnyMasterIsNotifiedWithoutPolling() {
		// without a push it would wait for the end of the lease, and the test fail
		CacheSpec<String> patient = PRODUCT
			.with((settings) -> settings.withLease(Duration.ofMinutes(5)).withWaitTimeout(Duration.ofMinutes(5)));
		awaitPushes(this.other);
		for (RedisServer master : cluster.masters()) {
			String key = keyOn(master);
			try (HeldLoad held = this.fixture.start(this.cache, patient, key, "shared")) {
				Future<String> second = this.fixture.async(() -> this.other.get(patient, key, this.fixture::load));
				Awaitility.await().until(() -> isAwaited(master, key));
				assertThat(held.end()).isEqualTo("shared");
				assertThat(join(second)).isEqualTo("shared");
			}
		}
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void aLocalCopyIsDroppedWhenAnotherJvmEvictsOnAnyMaster() {
		CacheSpec<String> local = PRODUCT.with((settings) -> settings.withLocalTtl(Duration.ofMinutes(5)));
		for (RedisServer master : cluster.masters()) {
			String key = keyOn(master);
			this.fixture.awaitCopy(this.other, local, key, "old");
			this.cache.evict("product", key);
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> this.other.get(local, key, () -> "new").equals("new"));
		}
	}

	/** A hit needs no command for its tags, which are in other slots. */
	@Test
	void oneCommandEvictsTheEntriesOfATagOnAllMasters() {
		CacheSpec<String> tagged = PRODUCT.withTags((value) -> List.of("shop:1"));
		List<Integer> keys = IntStream.range(0, 300).boxed().toList();
		keys.forEach((key) -> this.cache.get(tagged, key, () -> "old"));
		this.other.getIfPresent(PRODUCT, 0);
		assertThat(calls("zrange",
				() -> keys.forEach((key) -> assertThat(this.other.getIfPresent(PRODUCT, key)).isNotNull())))
			.isLessThan(20);
		assertThat(calls("zadd", () -> this.cache.evict(CacheEviction.ofTags("product", "shop:1")))).isEqualTo(1);
		keys.forEach((key) -> assertThat(this.cache.getIfPresent(PRODUCT, key)).isNull());
		Awaitility.await()
			.untilAsserted(() -> assertThat(keys).allMatch((key) -> this.other.getIfPresent(PRODUCT, key) == null));
	}

	private static long calls(String command, Runnable work) {
		AtomicLong calls = new AtomicLong();
		Runnable counted = work;
		for (RedisServer master : cluster.masters()) {
			Runnable inner = counted;
			counted = () -> calls.addAndGet(master.commandsDuring(inner).of(command));
		}
		counted.run();
		return calls.get();
	}

	@Test
	void aLocalCopyDoesNotOutliveTheSubscriptions() {
		CacheSpec<String> local = PRODUCT.with((settings) -> settings.withLocalTtl(Duration.ofMinutes(5)));
		String key = keyOn(cluster.masters().get(2));
		this.fixture.awaitCopy(this.other, local, key, "old");
		// messages that were published meanwhile have not arrived
		cluster.masters().forEach((master) -> master.command("CLIENT", "KILL", "TYPE", "pubsub"));
		this.cache.evict("product", key);
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> this.other.get(local, key, () -> "new").equals("new"));
	}

	@BeforeEach
	void warmUp() {
		CacheFixture.warm(this.cache);
		CacheFixture.warm(this.other);
		this.cache.evict("product", MOVED);
		assertThat(this.cache.get(PRODUCT, MOVED, () -> "old")).isEqualTo("old");
		assertThat(this.other.get(PRODUCT, MOVED, this.fixture::load)).isEqualTo("old");
	}

	@Test
	void anEntryIsFoundBeforeDuringAndAfterTheMove() {
		cluster.beginMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, MOVED, this.fixture::load)).isEqualTo("old");
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, MOVED, this.fixture::load)).isEqualTo("old");
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void aPutDuringTheMoveEvicts() {
		cluster.beginMove(this.slot, this.target);
		this.cache.put(PRODUCT, MOVED, "new");
		assertThat(this.other.getIfPresent(PRODUCT, MOVED)).isNull();
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, MOVED, () -> "new")).isEqualTo("new");
	}

	@Test
	void aPutOfAVersionDuringTheMoveEvicts() {
		cluster.beginMove(this.slot, this.target);
		assertThatExceptionOfType(CacheUnavailableException.class)
			.isThrownBy(() -> this.cache.putIfNewer(PRODUCT, MOVED, "new", 7));
		assertThat(this.other.getIfPresent(PRODUCT, MOVED)).isNull();
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, MOVED, () -> "new")).isEqualTo("new");
		assertThat(this.cache.putIfNewer(PRODUCT, MOVED, "newer", 8)).isTrue();
	}

	@Test
	void aLoadFromBeforeAnEvictDuringTheMoveIsNotStoredAfterIt() {
		this.cache.evict("product", MOVED);
		try (HeldLoad held = this.fixture.start(this.cache, PRODUCT, MOVED, "old")) {
			cluster.beginMove(this.slot, this.target);
			this.other.evict("product", MOVED);
			cluster.finishMove(this.slot, this.target);
			assertThat(held.end()).isEqualTo("old");
		}
		assertThat(this.other.get(PRODUCT, MOVED, () -> "new")).isEqualTo("new");
	}

	@Test
	void aLoadThatEndsDuringTheMoveReleasesItsLease() {
		this.cache.evict("product", MOVED);
		try (HeldLoad held = this.fixture.start(this.cache, PRODUCT, MOVED, "lost")) {
			cluster.beginMove(this.slot, this.target);
			assertThat(held.end()).isEqualTo("lost");
		}
		Awaitility.await()
			.atMost(Duration.ofSeconds(8)) // the lease would last for ten seconds
			.until(() -> List.of().equals(this.source.command("KEYS", "*{product:" + MOVED + "}:l")));
		cluster.finishMove(this.slot, this.target);
		assertThat(this.other.get(PRODUCT, MOVED, () -> "stored")).isEqualTo("stored");
		assertThat(this.cache.get(PRODUCT, MOVED, this.fixture::load)).isEqualTo("stored");
	}

	@Test
	void callersDuringTheMoveRunTheirMethodAtMostOnce() {
		this.cache.evict("product", MOVED);
		cluster.beginMove(this.slot, this.target);
		List<String> values = this.fixture.inThreads(20,
				(i) -> ((i % 2 == 0) ? this.cache : this.other).get(PRODUCT, MOVED, this.fixture::load));
		assertThat(this.fixture.loads.get()).isBetween(1, 20);
		assertThat(values).allMatch((value) -> value.startsWith("value "));
		cluster.finishMove(this.slot, this.target);
		this.cache.get(PRODUCT, MOVED, () -> "stored");
		assertThat(this.other.get(PRODUCT, MOVED, this.fixture::load)).isEqualTo("stored");
	}

	@Test
	void noCallerReadsAnEntryThatWasEvictedBeforeItsCallWhileTheSlotMoves() {
		CacheSpec<Long> version = CacheSpec.of("product", Long.class);
		this.cache.evict("product", MOVED);
		AtomicLong row = new AtomicLong();
		AtomicLong promised = new AtomicLong();
		AtomicInteger stale = new AtomicInteger();
		AtomicInteger reads = new AtomicInteger();
		AtomicBoolean over = new AtomicBoolean();
		List<Future<Boolean>> readers = IntStream.range(0, 4).mapToObj((i) -> this.fixture.async(() -> {
			CacheTemplate mine = (i % 2 == 0) ? this.cache : this.other;
			while (!over.get()) {
				long atLeast = promised.get();
				if (mine.get(version, MOVED, row::get) < atLeast) {
					stale.incrementAndGet();
				}
				reads.incrementAndGet();
			}
			return true;
		})).toList();
		Future<Boolean> writer = this.fixture.async(() -> {
			while (!over.get()) {
				long written = row.incrementAndGet();
				((written % 2 == 0) ? this.cache : this.other).evict("product", MOVED);
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

	/** Until its subscription is open, a JVM polls instead of waiting for messages. */
	private void awaitPushes(CacheTemplate cache) {
		AtomicInteger rounds = new AtomicInteger();
		Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> {
			String key = "warm-up-" + rounds.incrementAndGet();
			try (HeldLoad held = this.fixture.start(this.cache, PRODUCT, key, "warm")) {
				Future<String> second = this.fixture.async(() -> cache.get(PRODUCT, key, () -> "late"));
				Waiters.await(1);
				boolean pushed = isAwaited(masterOf(key), key);
				held.end();
				join(second);
				return pushed;
			}
		});
	}

	private boolean isAwaited(RedisServer master, String key) {
		return master.list("KEYS", "*:{product:" + key + "}:w").size() == 1;
	}

	private static List<String> entriesOn(RedisServer master) {
		return master.list("KEYS", "cache:product:*}");
	}

	private static RedisServer masterOf(String key) {
		return cluster.masterOf("{product:" + key + "}");
	}

	private static String keyOn(RedisServer master) {
		return IntStream.range(0, 1000)
			.mapToObj((number) -> "key" + number)
			.filter((key) -> masterOf(key) == master)
			.findFirst()
			.orElseThrow();
	}

}
