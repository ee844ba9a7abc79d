package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.transaction.Transactions;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.engine.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tags of entries, which are evicted together.
 */
class RedisCacheTagsTests extends WarmCacheTests {

	private static final int ENTRIES = Integer.getInteger("lockboot.cache.tagged", 2_000);

	private static final CacheSpec<String> TAGGED = PRODUCT.withTags((value) -> List.of("shop:1", "all"));

	private static final CacheEviction EVICTION = CacheEviction.ofTags("product", "shop:1");

	RedisCacheTagsTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void oneCommandEvictsAllEntriesOfATagAndNoOther() {
		fill(this.cache, ENTRIES);
		// the epoch may be read as well, once a second
		Awaitility.await().untilAsserted(() -> {
			CommandCounts costs = this.redis.commandsDuring(() -> this.cache.evict(EVICTION));
			assertThat(costs.of("evalsha")).isEqualTo(1);
			assertThat(costs.of("get") + costs.of("del")).isZero();
		});
		assertThat(this.cache.getIfPresent(PRODUCT, "untagged")).isNotNull();
		assertThat(this.cache.getIfPresent(PRODUCT, "of another")).isNotNull();
		assertThat(found(this.cache, ENTRIES)).isZero();
	}

	@Test
	void aHitSendsOneCommandWhateverTheTags() {
		CacheSpec<String> various = PRODUCT
			.withTags((value) -> IntStream.range(0, 50).mapToObj((i) -> value + i).toList());
		IntStream.range(0, 100).forEach((key) -> this.cache.get(various, key, () -> "value " + key));
		CommandCounts costs = this.redis.commandsDuring(
				() -> IntStream.range(0, 100).forEach((key) -> this.cache.get(various, key, this.fixture::load)));
		assertThat(this.fixture.loads).hasValue(0);
		// both reads of each second read a key, too
		assertThat(costs.of("get") + costs.of("zrange")).isBetween(100L, 104L);
		assertThat(costs.of("evalsha")).isLessThanOrEqualTo(4);
	}

	@Test
	void localCopiesOfAnotherJvmHearOfAnEvict() {
		CacheSpec<String> local = TAGGED.with((settings) -> settings.withLocalTtl(Duration.ofMinutes(5)));
		CacheTemplate other = this.fixture.warmTemplate();
		this.fixture.awaitCopy(other, local, 42, "old");
		this.cache.evict(EVICTION);
		Awaitility.await().until(() -> other.get(local, 42, () -> "new").equals("new"));
	}

	@Test
	void aJvmThatHearsNothingFollowsWithinTwoSeconds() {
		CacheTemplate other = this.fixture.warmTemplate();
		fill(other, 1);
		this.redis.command("CLIENT", "KILL", "TYPE", "pubsub");
		long evicted = System.nanoTime();
		this.cache.evict(EVICTION);
		Awaitility.await().until(() -> other.getIfPresent(PRODUCT, 0) == null);
		assertThat(Duration.ofNanos(System.nanoTime() - evicted)).isLessThan(Duration.ofSeconds(10));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLoadInFlightIsNotStored(boolean byItsOwnJvm) {
		CacheTemplate other = this.fixture.warmTemplate();
		fill(other, 1);
		try (HeldLoad held = this.fixture.start(this.cache, TAGGED, 42, "old")) {
			(byItsOwnJvm ? this.cache : other).evict(EVICTION);
			assertThat(held.end()).isEqualTo("old");
		}
		assertThat(other.getIfPresent(PRODUCT, 42)).isNull();
		assertThat(other.get(TAGGED, 42, () -> "new")).isEqualTo("new");
	}

	/** Even if it joins the load from before, and the value is not stored. */
	@ParameterizedTest
	@ValueSource(strings = { "stored", "long" })
	void aCallAfterTheEvictGetsNoOlderValue(String kind) {
		String old = kind.equals("long") ? "o".repeat(2_000_000) : "old";
		this.cache.get(TAGGED, "warm", () -> "warm");
		try (HeldLoad held = this.fixture.start(this.cache, TAGGED, 42, old)) {
			this.cache.evict(EVICTION);
			Future<String> later = this.fixture.async(() -> this.cache.get(TAGGED, 42, () -> "new"));
			Waiters.await(1);
			held.release();
			assertThat(join(later)).isEqualTo("new");
			assertThat(held.end()).isEqualTo(old);
		}
	}

	@Test
	void anEntryThatIsLoadedOrPutAfterTheEvictStays() {
		fill(this.cache, 1);
		this.cache.evict(EVICTION);
		this.cache.get(TAGGED, 1, () -> "loaded");
		this.cache.put(TAGGED, 2, "put");
		CacheTemplate other = this.fixture.warmTemplate();
		assertThat(other.get(PRODUCT, 1, this.fixture::load)).isEqualTo("loaded");
		assertThat(other.get(PRODUCT, 2, this.fixture::load)).isEqualTo("put");
		other.evict(EVICTION);
		assertThat(other.getIfPresent(PRODUCT, 2)).isNull();
	}

	@Test
	void severalKeysAndAPutIfAbsentSeeTheEvict() {
		fill(this.cache, 3);
		this.fixture.warmTemplate().evict(EVICTION);
		CacheTemplate other = this.fixture.warmTemplate();
		assertThat(other.putIfAbsent(PRODUCT, 1, "new")).isNull();
		assertThat(other.putIfAbsent(PRODUCT, 1, "newer")).isEqualTo(new CachedValue<>("new"));
		assertThat(other.getAll(TAGGED, List.of(1, 2),
				(keys) -> keys.stream().collect(Collectors.toMap((key) -> key, (key) -> "loaded"))))
			.isEqualTo(Map.of(1, "new", 2, "loaded"));
	}

	@Test
	void whatARedisHasLostCountsAsEvicted() {
		fill(this.cache, 1);
		this.redis.command("DEL", "cache:product:tags");
		assertThat(this.fixture.warmTemplate().getIfPresent(PRODUCT, 0)).isNull();
		assertThat(this.fixture.warmTemplate().get(TAGGED, 0, () -> "new")).isEqualTo("new");
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.cache.getIfPresent(PRODUCT, 0)).isEqualTo(new CachedValue<>("new")));
	}

	@Test
	void aTransactionThatBeganBeforeTheEvictStoresNothing() {
		long began = new SystemClock("unused").nanoTime();
		CacheTemplate old = CacheFixture.warm(this.fixture.template(new Transactions() {
			@Override
			public View view(String cache, String key) {
				return new View(began, false, true);
			}
		}));
		this.cache.evict(EVICTION);
		assertThat(old.get(TAGGED, 42, () -> "old")).isEqualTo("old");
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	private void fill(CacheTemplate template, int count) {
		template.put(PRODUCT, "untagged", "value");
		template.put(PRODUCT.withTags((value) -> List.of("shop:2")), "of another", "value");
		template.getAll(TAGGED, IntStream.range(0, count).boxed().toList(),
				(keys) -> keys.stream().collect(Collectors.toMap((key) -> key, (key) -> "value")));
		assertThat(found(template, count)).isEqualTo(count);
	}

	private static int found(CacheTemplate template, int count) {
		return (int) IntStream.range(0, count).filter((key) -> template.getIfPresent(PRODUCT, key) != null).count();
	}

}
