package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of keys at once, with the settings of the library.
 */
@RedisTest
@Timeout(120)
class BigBatchTests {

	private final CacheFixture fixture;

	/** The number of keys of each load. */
	private final List<Integer> loads = new CopyOnWriteArrayList<>();

	BigBatchTests(RedisServer redis) {
		this.fixture = new CacheFixture(redis);
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void loadedEntriesAreStoredForAnyNumberOfKeys() {
		RedisCacheTemplate cache = template();
		List<Integer> keys = keys(20_000);
		assertThat(cache.getAll(PRODUCT, keys, this::load)).hasSize(20_000);
		// one more for each part that a busy machine delayed
		assertThat(this.loads).hasSizeBetween(40, 80).allMatch((count) -> count <= 500);
		this.loads.clear();
		assertThat(cache.getAll(PRODUCT, keys, this::load)).hasSize(20_000);
		assertThat(this.loads.stream().mapToInt(Integer::intValue).sum()).isLessThan(2_000);
		assertThat(this.fixture.pauses()).isEmpty();
	}

	@Test
	void anEvictOfThousandsOfKeysDoesNotPauseTheCache() {
		RedisCacheTemplate cache = template();
		this.fixture.template().put(PRODUCT, 42, "old");
		cache.evict(CacheEviction.of("product", keys(10_000).toArray()));
		assertThat(this.fixture.pauses()).isEmpty();
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.fixture.count(CacheEvent.EVICTED) >= 10_000);
		assertThat(this.fixture.template().getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void entriesThatAnotherCouldNotLoadAreLoadedInBatches() {
		List<Integer> keys = keys(400);
		RedisCacheTemplate failing = this.fixture.warmTemplate();
		RedisCacheTemplate cache = this.fixture.warmTemplate();
		HeldLoad held = new HeldLoad(null);
		this.fixture.async(() -> failing.getAll(PRODUCT, keys, (all) -> Map.of(0, held.load())));
		held.awaitStart();
		Future<Map<Integer, String>> getting = this.fixture.async(() -> cache.getAll(PRODUCT, keys, this::load));
		Waiters.await(1);
		held.release();
		assertThat(CacheFixture.join(getting)).hasSize(400);
		assertThat(this.loads.size()).isLessThan(40);
	}

	private RedisCacheTemplate template() {
		RedisCacheTemplate template = CacheFixture
			.warm(this.fixture.template(RedisCacheSettings.defaults(), UnaryOperator.identity()));
		this.fixture.pauses().clear();
		return template;
	}

	private static List<Integer> keys(int count) {
		return IntStream.range(0, count).boxed().toList();
	}

	private Map<Integer, String> load(List<Integer> keys) {
		this.loads.add(keys.size());
		return keys.stream().collect(Collectors.toMap((key) -> key, (key) -> "value " + key));
	}

}
