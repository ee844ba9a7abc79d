package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.RedisCluster;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cache on a cluster while one of its masters is dead or frozen.
 */
@Timeout(180)
@Tag("long")
class RedisCacheClusterOutageTests {

	/** Short, so that a test does not wait long for a frozen server. */
	private static final Duration SETTINGS = Duration.ofSeconds(1);

	private static final Duration LONG = Duration.ofSeconds(60);

	private final RedisCluster cluster = RedisFixture.newCluster(3, 1);

	private final RedisServer failing = this.cluster.masters().get(0);

	private final RedisServer well = this.cluster.masters().get(1);

	private final CacheFixture fixture = new CacheFixture(this.cluster);

	private final CacheTemplate cache = this.fixture.template(SETTINGS);

	private final CacheTemplate other = this.fixture.template(SETTINGS);

	@AfterEach
	void close() {
		this.fixture.close();
		this.cluster.close();
	}

	@Test
	void loadsContinueWhenAMasterIsKilledAndAreCachedAgainByItsReplica() {
		CacheSpec<String> spec = cacheWithEpochOn(this.well);
		String key = keyOn(spec, this.failing);
		awaitCached(this.cache, spec, key);
		awaitCached(this.other, spec, key);
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger twice = new AtomicInteger();
		List<Future<Boolean>> callers = IntStream.range(0, 8).mapToObj((i) -> this.fixture.async(() -> {
			CacheTemplate mine = (i % 2 == 0) ? this.cache : this.other;
			while (!over.get()) {
				AtomicInteger runs = new AtomicInteger();
				CacheLoader<String, RuntimeException> loader = () -> "run " + runs.incrementAndGet();
				mine.evict(spec.name(), key + i);
				String value = mine.get(spec, key + i, loader);
				twice.addAndGet((runs.get() > 1 || !value.startsWith("run ")) ? 1 : 0);
			}
			return true;
		})).toList();
		this.failing.awaitReplicas(1);
		this.failing.kill();
		this.cluster.awaitHealthy();
		over.set(true);
		callers.forEach(CacheFixture::join);
		assertThat(twice).hasValue(0);
		awaitCached(this.cache, spec, key);
		awaitCached(this.other, spec, key);
	}

	@Test
	void aLoadThatRunsWhileItsMasterIsReplacedReturnsToItsCallerOnce() {
		CacheSpec<String> spec = cacheWithEpochOn(this.well);
		String key = keyOn(spec, this.failing);
		awaitCached(this.cache, spec, key);
		this.cache.evict(spec.name(), key);
		try (HeldLoad held = this.fixture.start(this.cache, spec, key, "held")) {
			this.failing.awaitReplicas(1);
			this.failing.kill();
			this.cluster.awaitHealthy();
			assertThat(held.end()).isEqualTo("held");
		}
		awaitCached(this.other, spec, key);
	}

	@Test
	void aFrozenMasterDelaysOnlyItsOwnKeys() {
		// long enough to prevent an election: during one, all slots would be down
		this.cluster.servers().forEach((server) -> server.command("CONFIG", "SET", "cluster-node-timeout", "120000"));
		CacheSpec<String> spec = cacheWithEpochOn(this.well);
		String lively = keyOn(spec, this.well);
		String stuck = keyOn(spec, this.failing);
		awaitCached(this.cache, spec, lively);
		awaitCached(this.cache, spec, stuck);
		this.fixture.loads.set(0);
		this.failing.freeze();
		AtomicBoolean over = new AtomicBoolean();
		Future<Integer> delayed = this.fixture.async(() -> {
			int calls = 0;
			while (!over.get()) {
				assertThat(this.cache.get(spec, stuck, () -> "alone")).isEqualTo("alone");
				calls++;
			}
			return calls;
		});
		// the breaker opens for the frozen one
		Awaitility.await().atMost(LONG).until(() -> this.fixture.count(CacheEvent.REDIS_FAILED) > 5);
		for (int i = 0; i < 500; i++) {
			this.cache.get(spec, lively, this.fixture::load);
		}
		assertThat(this.fixture.loads).hasValue(0);
		this.cache.evict(spec.name(), lively);
		assertThat(this.cache.get(spec, lively, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.cache.get(spec, lively, this.fixture::load)).isEqualTo("value 1");
		over.set(true);
		assertThat(CacheFixture.join(delayed)).isPositive();
		this.failing.thaw();
		awaitCached(this.cache, spec, stuck);
	}

	@Test
	void aFrozenMasterDelaysOnlyItsOwnKeysOfABatch() {
		// long enough to prevent an election: during one, all slots would be down
		this.cluster.servers().forEach((server) -> server.command("CONFIG", "SET", "cluster-node-timeout", "120000"));
		CacheSpec<String> spec = cacheWithEpochOn(this.well);
		List<String> keys = this.cluster.masters().stream().map((master) -> keyOn(spec, master)).toList();
		keys.forEach((key) -> awaitCached(this.cache, spec, key));
		List<String> loaded = new CopyOnWriteArrayList<>();
		this.failing.freeze();
		Map<String, String> found = this.cache.getAll(spec, keys, (missing) -> {
			loaded.addAll(missing);
			return missing.stream().collect(Collectors.toMap((key) -> key, (key) -> "loaded"));
		});
		this.failing.thaw();
		assertThat(found).containsOnlyKeys(keys);
		assertThat(loaded).containsExactly(keyOn(spec, this.failing));
	}

	@Test
	void aMasterThatWasReplacedIsNoLongerReportedAsPaused() {
		CacheSpec<String> spec = cacheWithEpochOn(this.well);
		String key = keyOn(spec, this.failing);
		awaitCached(this.cache, spec, key);
		this.cluster.servers().forEach((server) -> server.command("CONFIG", "SET", "cluster-node-timeout", "5000"));
		this.failing.awaitReplicas(1);
		this.failing.kill();
		Awaitility.await().atMost(LONG).pollInterval(Duration.ofMillis(10)).until(() -> {
			this.cache.get(spec, key, this.fixture::load);
			return this.fixture.pauses().contains("paused");
		});
		this.cluster.awaitHealthy();
		awaitCached(this.cache, spec, key);
		Awaitility.await().atMost(LONG).untilAsserted(() -> {
			this.cache.get(spec, key, this.fixture::load);
			assertThat(this.fixture.pauses().stream().filter("resumed"::equals))
				.hasSameSizeAs(this.fixture.pauses().stream().filter("paused"::equals).toList());
		});
	}

	/** The epoch of a cache is in one slot. */
	private CacheSpec<String> cacheWithEpochOn(RedisServer master) {
		return IntStream.range(0, 1000)
			.mapToObj((number) -> "cache" + number)
			.filter((name) -> this.cluster.masterOf("cache:" + name + ":epoch") == master)
			.findFirst()
			.map((name) -> CacheSpec.of(name, String.class))
			.orElseThrow();
	}

	private String keyOn(CacheSpec<?> spec, RedisServer master) {
		return IntStream.range(0, 1000)
			.mapToObj((number) -> "key" + number)
			.filter((key) -> this.cluster.masterOf("{" + spec.name() + ":" + key + "}") == master)
			.findFirst()
			.orElseThrow();
	}

	private void awaitCached(CacheTemplate template, CacheSpec<String> spec, String key) {
		Awaitility.await().atMost(LONG).until(() -> {
			template.get(spec, key, this.fixture::load);
			int before = this.fixture.loads.get();
			template.get(spec, key, this.fixture::load);
			return this.fixture.loads.get() == before;
		});
	}

}
