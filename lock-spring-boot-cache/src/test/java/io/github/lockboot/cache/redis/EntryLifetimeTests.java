package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * For how long Redis keeps an entry.
 */
@Timeout(60)
class EntryLifetimeTests extends WarmCacheTests {

	EntryLifetimeTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void aValueThatNeverExpiresIsKeptForAYear() {
		assertThat(this.cache.get(PRODUCT, 42, lasting(ChronoUnit.FOREVER.getDuration()))).isEqualTo("x");
		assertThat(this.fixture.remainingMillis(42)).isBetween(TimeUnit.DAYS.toMillis(364),
				TimeUnit.DAYS.toMillis(365));
	}

	private static CacheLoader<String, RuntimeException> lasting(Duration ttl) {
		return new CacheLoader<>() {

			@Override
			public String load() {
				return "x";
			}

			@Override
			public Duration ttlOf(String value) {
				return ttl;
			}

		};
	}

	@Test
	void lifetimesDifferByTheJitter() {
		CacheSpec<String> spec = PRODUCT.with((settings) -> settings.withTtl(Duration.ofSeconds(1000)).withJitter(0.1));
		for (int i = 0; i < 50; i++) {
			this.cache.put(spec, i, "x");
		}
		List<Long> lives = IntStream.range(0, 50).mapToObj(this.fixture::remainingMillis).toList();
		assertThat(lives).allSatisfy((life) -> assertThat(life).isBetween(840_000L, 1_100_000L));
		assertThat(lives).anySatisfy((life) -> assertThat(life).isLessThan(990_000L))
			.anySatisfy((life) -> assertThat(life).isGreaterThan(1_000_000L));
	}

	@Test
	void anEntryThatReachesRedisAfterItsGraceIsNotStored() {
		RedisCacheTemplate late = CacheFixture
			.warm(this.fixture.template(CacheFixture.PATIENT, (store) -> InterceptedStore.around(store, (call) -> {
				if (call.getMethod().getName().equals("store")) {
					Awaitility.await().until(() -> graceEndMillis(42) < System.currentTimeMillis());
				}
				return call.proceed();
			})));
		late.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(1)));
		assertThat(late.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(late.getIfPresent(PRODUCT, 42)).isNull();
	}

	/** Return when the grace of an evict ends, 0 if there is none. */
	private long graceEndMillis(Object key) {
		String tombstone = String.valueOf(this.redis.command("GET", "cache:product:{product:" + key + "}:t"));
		return tombstone.contains(" ") ? Long.parseLong(tombstone.split(" ")[1]) / 1000 : 0;
	}

	@Test
	void aClearEndsNoGrace() {
		this.cache.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(20)));
		this.cache.clear("product");
		this.cache.get(PRODUCT, 42, this.fixture::load);
		assertThat(this.fixture.remainingMillis(42)).isBetween(1L, 20_000L);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void anEntryThatRedisKeepsAfterItsTimeIsAMiss(boolean isKeptForOthers) {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withTtl(Duration.ofMillis(200)));
		if (isKeptForOthers) {
			this.cache.put(brief.with((settings) -> settings.withStaleTtl(Duration.ofMinutes(1))), 42, "old");
		}
		else {
			this.cache.put(PRODUCT.with((settings) -> settings.withTtl(Duration.ofSeconds(1))), 42, "old");
			this.redis.command("PERSIST", this.fixture.entryKey(42));
		}
		Awaitility.await().until(() -> this.cache.getIfPresent(brief, 42) == null);
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
	}

}
