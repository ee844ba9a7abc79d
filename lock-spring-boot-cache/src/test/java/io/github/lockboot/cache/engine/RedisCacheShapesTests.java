package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.BiConsumer;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two versions of an application whose types have different shapes, while one is
 * deployed. The earlier one writes by Jackson 2, the later one by Jackson 3.
 */
@Timeout(120)
class RedisCacheShapesTests extends WarmCacheTests {

	private static final CacheSpec<Before> BEFORE = CacheSpec.of("product", Before.class)
		.withTags((value) -> List.of("tag"));

	private static final CacheSpec<After> AFTER = CacheSpec.of("product", After.class)
		.withTags((value) -> List.of("tag"));

	private static final int KEYS = 50;

	private final CacheTemplate next = this.fixture.warmTemplate();

	private final CacheTemplate earlier = this.fixture.writingByJackson2();

	RedisCacheShapesTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void eachVersionLoadsOnceAndReadsItsOwnEntry() {
		fill();
		assertThat(this.earlier.getIfPresent(BEFORE, 1)).isEqualTo(new CachedValue<>(new Before(1)));
		assertThat(this.next.getIfPresent(AFTER, 1)).isEqualTo(new CachedValue<>(new After(1, "red")));
		assertThat(this.earlier.getAll(BEFORE, List.of(1), (keys) -> Map.of())).containsKey(1);
	}

	@ParameterizedTest
	@EnumSource
	void aChangeByEitherVersionReachesTheEntriesOfBoth(Change change) {
		for (CacheTemplate changing : List.of(this.earlier, this.next)) {
			fill();
			change.made.accept(changing, 1);
			Awaitility.await().untilAsserted(() -> {
				assertThat(this.earlier.getIfPresent(BEFORE, 1)).isNotEqualTo(new CachedValue<>(new Before(1)));
				assertThat(this.next.getIfPresent(AFTER, 1)).isNotEqualTo(new CachedValue<>(new After(1, "red")));
			});
		}
	}

	@Test
	void aVersionOfAPutCountsThoughTheOtherShapeWasStoredLater() {
		assertThat(this.earlier.putIfNewer(BEFORE, 1, new Before(5), 5)).isTrue();
		this.next.get(AFTER, 1, () -> new After(5, "red"));
		assertThat(this.next.putIfNewer(AFTER, 1, new After(4, "red"), 4)).isFalse();
		assertThat(this.next.putIfNewer(AFTER, 1, new After(6, "red"), 6)).isTrue();
		assertThat(this.earlier.getIfPresent(BEFORE, 1)).isNull();
	}

	@Test
	void anOldEntryEndsByItsTtlAndLeavesNothing() {
		CacheSpec<Before> shortly = BEFORE
			.with((settings) -> settings.withTtl(Duration.ofMillis(300)).withStaleTtl(Duration.ofHours(1)));
		this.next.get(AFTER, 1, () -> new After(1, "red"));
		long alone = length(1);
		this.earlier.get(shortly, 1, () -> new Before(1));
		assertThat(length(1)).isBetween(alone + 32, 2 * alone + 16);
		Awaitility.await()
			.until(() -> this.next.refresh(AFTER, 1, () -> new After(2, "red")).join() && length(1) == alone);
	}

	@Test
	void underLoadBothVersionsHitAndNothingIsStale() {
		AtomicLongArray rows = new AtomicLongArray(KEYS);
		AtomicLongArray promised = new AtomicLongArray(KEYS);
		AtomicInteger evicts = new AtomicInteger();
		Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
		this.fixture.inThreads(6, (thread) -> {
			CacheTemplate mine = (thread % 2 == 0) ? this.earlier : this.next;
			for (int i = 0; i < 3_000; i++) {
				int key = ThreadLocalRandom.current().nextInt(KEYS);
				if (i % 500 == 499) {
					long changed = rows.incrementAndGet(key);
					mine.evict("product", key);
					promised.accumulateAndGet(key, changed, Math::max);
					evicts.incrementAndGet();
				}
				long least = promised.get(key);
				long read = (thread % 2 == 0) ? mine.get(BEFORE, key, () -> {
					this.fixture.loads.incrementAndGet();
					return new Before(rows.get(key));
				}).version() : mine.get(AFTER, key, () -> {
					this.fixture.loads.incrementAndGet();
					return new After(rows.get(key), "red");
				}).version();
				counts.computeIfAbsent((read < least) ? "stale" : "right", (kind) -> new AtomicInteger())
					.incrementAndGet();
			}
			return thread;
		});
		assertThat(counts).containsOnlyKeys("right");
		assertThat(this.fixture.loads.get())
			.isLessThanOrEqualTo(2 * (KEYS + evicts.get()) + (int) this.fixture.count(CacheEvent.REFUSED));
		double hits = 1 - this.fixture.loads.get() / 18_000.0;
		System.out.println("Hits of two shapes under load: " + hits);
		assertThat(hits).isGreaterThan(0.95);
	}

	private void fill() {
		this.earlier.evict("product", 1);
		this.earlier.get(BEFORE, 1, () -> new Before(1));
		this.next.get(AFTER, 1, () -> new After(1, "red"));
		assertThat(this.earlier.getIfPresent(BEFORE, 1)).isEqualTo(new CachedValue<>(new Before(1)));
	}

	private long length(int key) {
		return (Long) Objects.requireNonNull(this.redis.command("STRLEN", this.fixture.entryKey(key)));
	}

	record Before(long version) {
	}

	record After(long version, @Nullable String colour) {
	}

	/** What either version does. */
	enum Change {

		EVICT((cache, key) -> cache.evict("product", key)),

		CLEAR((cache, key) -> cache.clear("product")),

		TAG((cache, key) -> cache.evict(CacheEviction.ofTags("product", "tag"))),

		PUT_BEFORE((cache, key) -> cache.put(BEFORE, key, new Before(2))),

		PUT_AFTER((cache, key) -> cache.put(AFTER, key, new After(2, "blue")));

		private final BiConsumer<CacheTemplate, Integer> made;

		Change(BiConsumer<CacheTemplate, Integer> made) {
			this.made = made;
		}

	}

}
