package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheBatchLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PATIENT;
import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.engine.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Values of several keys at once, also of thousands.
 */
@Timeout(120)
class RedisCacheBatchTests extends WarmCacheTests {

	/** The keys of each load. */
	private final List<List<Integer>> loads = new CopyOnWriteArrayList<>();

	RedisCacheBatchTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void noKeysSendNothing() {
		assertThat(this.cache.getAll(PRODUCT, List.of(), this::load)).isEmpty();
		assertThat(this.loads).isEmpty();
	}

	@Test
	void equalKeysHaveOneEntry() {
		Map<Object, String> found = this.cache.getAll(PRODUCT, List.<Object>of(1, 1L),
				(keys) -> keys.stream().collect(Collectors.toMap((key) -> key, (key) -> "value")));
		assertThat(found).hasSize(2);
	}

	@Test
	void keysThatTheLoaderOmitsHaveNoValueAndAreRemembered() {
		CacheBatchLoader<Integer, String, RuntimeException> loader = (keys) -> {
			this.loads.add(keys);
			return Map.of(1, "value 1");
		};
		assertThat(this.cache.getAll(PRODUCT, List.of(1, 2), loader)).containsOnlyKeys(1);
		assertThat(this.cache.getAll(PRODUCT, List.of(1, 2), loader)).containsOnlyKeys(1);
		assertThat(this.loads).hasSize(1);
	}

	@Test
	void costsAreAsPromised() {
		this.cache.get(PRODUCT, 0, () -> "warm");
		// the epoch may be read as well, once a second
		Awaitility.await().pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
			int first = this.loads.size() * 100 + 1;
			List<Integer> keys = keys(first, 20);
			CommandCounts miss = this.redis.commandsDuring(() -> this.cache.getAll(PRODUCT, keys, this::load));
			CommandCounts hit = this.redis.commandsDuring(() -> this.cache.getAll(PRODUCT, keys, this::load));
			assertThat(miss.of("mget")).isEqualTo(1);
			assertThat(miss.of("evalsha")).isEqualTo(2 * 20);
			assertThat(hit.calls()).isEqualTo(Map.of("mget", 1L));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "acquire", "store" })
	void allCommandsOfAStepAreSentBeforeTheFirstReply(String step) {
		HeldReplies held = new HeldReplies();
		CacheTemplate slow = this.fixture.intercepted(held.to(step));
		Future<Map<Integer, String>> getting = this.fixture
			.async(() -> slow.getAll(PRODUCT, List.of(1, 2, 3), this::load));
		held.awaitHeld(3);
		held.release();
		assertThat(join(getting)).hasSize(3);
		assertThat(this.loads).containsExactly(List.of(1, 2, 3));
	}

	@Test
	void loadsOfOthersAreAwaitedAfterTheOwnLoad() {
		CacheTemplate other = this.fixture.warmTemplate();
		try (HeldLoad held = this.fixture.start(other, PRODUCT, 2, "theirs")) {
			Future<Map<Integer, String>> getting = this.fixture
				.async(() -> this.cache.getAll(PRODUCT, List.of(1, 2, 3), this::load));
			Awaitility.await().untilAsserted(() -> assertThat(this.loads).containsExactly(List.of(1, 3)));
			// stored while the other one still loads
			assertThat(other.get(PRODUCT, 1, () -> "again")).isEqualTo("value 1");
			held.release();
			assertThat(join(getting)).containsEntry(2, "theirs").hasSize(3);
			assertThat(held.end()).isEqualTo("theirs");
		}
		assertThat(this.loads).hasSize(1);
	}

	@Test
	void entriesThatOthersLoadForTooLongAreLoadedTogether() {
		HeldTimerClock clock = new HeldTimerClock(PATIENT.multipliedBy(3));
		CacheTemplate other = CacheFixture.warm(this.fixture.template(clock));
		List<HeldLoad> theirs = Stream.of(1, 2, 3)
			.map((key) -> this.fixture.start(this.cache, PRODUCT, key, "theirs"))
			.toList();
		Future<Map<Integer, String>> getting = this.fixture
			.async(() -> other.getAll(PRODUCT, List.of(1, 2, 3), this::load));
		clock.runHeld(3);
		assertThat(join(getting)).hasSize(3);
		assertThat(this.loads).containsExactly(List.of(1, 2, 3));
		theirs.forEach(HeldLoad::end);
	}

	@Test
	void aFailureIsThrownAndTheLeasesAreReleasedAfterAPause() {
		List<Object> pauses = new CopyOnWriteArrayList<>();
		CacheTemplate failing = this.fixture.notingPauses(pauses);
		assertThatExceptionOfType(IllegalStateException.class)
			.isThrownBy(() -> failing.getAll(PRODUCT, List.of(1, 2), (keys) -> {
				throw new IllegalStateException("no");
			}));
		assertThat(pauses).hasSize(2).doesNotContain(0L);
		assertThat(this.fixture.warmTemplate().getAll(PRODUCT, List.of(1, 2), this::load)).hasSize(2);
		Awaitility.await().untilAsserted(() -> assertThat(this.redis.command("KEYS", "*:l")).isEqualTo(List.of()));
	}

	@Test
	void theFailureOfAnotherIsThrown() {
		HeldLoad failing = new HeldLoad(null);
		Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 2, failing));
		failing.awaitStart();
		Future<Map<Integer, String>> getting = this.fixture
			.async(() -> this.cache.getAll(PRODUCT, List.of(1, 2, 3), this::load));
		Waiters.await(1);
		failing.release();
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> join(getting))
			.withStackTraceContaining("The load fails as it should");
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> join(loading));
		assertThat(this.cache.getIfPresent(PRODUCT, 3)).isNotNull();
	}

	@Test
	void anEvictDuringTheLoadWins() {
		this.cache.getAll(PRODUCT, List.of(1, 2), (keys) -> {
			this.cache.evict("product", 1);
			return load(keys);
		});
		assertThat(this.cache.getIfPresent(PRODUCT, 1)).isNull();
		assertThat(this.cache.getIfPresent(PRODUCT, 2)).isNotNull();
		assertThat(this.fixture.count(CacheEvent.REFUSED)).isEqualTo(1);
	}

	@Test
	void aLoaderThatReadsItsOwnEntriesLoadsDirectly() {
		Map<Integer, String> found = this.cache.getAll(PRODUCT, List.of(1, 2),
				(keys) -> this.cache.getAll(PRODUCT, keys, this::load));
		assertThat(found).hasSize(2);
	}

	@Test
	void loadedEntriesAreStoredForAnyNumberOfKeys() {
		CacheTemplate cache = withDefaults();
		List<Integer> keys = keys(0, 20_000);
		assertThat(cache.getAll(PRODUCT, keys, this::load)).hasSize(20_000);
		// one more for each part that a busy machine delayed
		assertThat(this.loads).hasSizeBetween(40, 80).allMatch((loaded) -> loaded.size() <= 500);
		this.loads.clear();
		assertThat(cache.getAll(PRODUCT, keys, this::load)).hasSize(20_000);
		assertThat(this.loads.stream().mapToInt(List::size).sum()).isLessThan(2_000);
		assertThat(this.fixture.pauses()).isEmpty();
	}

	@Test
	void anEvictOfThousandsOfKeysDoesNotPauseTheCache() {
		CacheTemplate cache = withDefaults();
		this.cache.put(PRODUCT, 42, "old");
		cache.evict(CacheEviction.of("product", keys(0, 10_000).toArray()));
		assertThat(this.fixture.pauses()).isEmpty();
		Awaitility.await().until(() -> this.fixture.count(CacheEvent.EVICTED) >= 10_000);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void entriesThatAnotherCouldNotLoadAreLoadedInBatches() {
		List<Integer> keys = keys(0, 400);
		CacheTemplate failing = this.fixture.warmTemplate();
		HeldLoad held = new HeldLoad(null);
		this.fixture.async(() -> failing.getAll(PRODUCT, keys, (all) -> Map.of(0, held.load())));
		held.awaitStart();
		Future<Map<Integer, String>> getting = this.fixture.async(() -> this.cache.getAll(PRODUCT, keys, this::load));
		Waiters.await(1);
		held.release();
		assertThat(join(getting)).hasSize(400);
		assertThat(this.loads.size()).isLessThan(40);
	}

	private CacheTemplate withDefaults() {
		CacheTemplate template = CacheFixture.warm(this.fixture.template(CacheFixture.BRISK));
		this.fixture.pauses().clear();
		return template;
	}

	private static List<Integer> keys(int first, int count) {
		return IntStream.range(first, first + count).boxed().toList();
	}

	private Map<Integer, String> load(List<Integer> keys) {
		this.loads.add(keys);
		return keys.stream().collect(Collectors.toMap((key) -> key, (key) -> "value " + key));
	}

}
