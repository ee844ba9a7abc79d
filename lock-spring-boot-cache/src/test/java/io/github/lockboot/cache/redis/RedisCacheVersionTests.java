package io.github.lockboot.cache.redis;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Values with versions, which may arrive twice and out of order.
 */
@Timeout(60)
class RedisCacheVersionTests extends WarmCacheTests {

	RedisCacheVersionTests(RedisServer redis) {
		super(redis);
	}

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -2, -1, 0, 1L << 31, 1L << 32, (1L << 53) + 1, Long.MAX_VALUE - 1 })
	void onlyAHigherVersionIsStored(long version) {
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "first", version)).isTrue();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "again", version)).isFalse();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "newer", version + 1)).isTrue();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "late", version)).isFalse();
		assertThat(this.cache.get(PRODUCT, 42, () -> "loaded")).isEqualTo("newer");
	}

	@Test
	void aLoadedValueIsReplaced() {
		this.cache.get(PRODUCT, 42, () -> "loaded");
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "put", 1)).isTrue();
		assertThat(this.cache.get(PRODUCT, 42, () -> "loaded")).isEqualTo("put");
	}

	@Test
	void anEvictForgetsTheVersion() {
		this.cache.putIfNewer(PRODUCT, 42, "two", 2);
		this.cache.evict("product", 42);
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "one", 1)).isTrue();
	}

	@Test
	void theVersionLastsAsLongAsItsEntryWhateverElseRedisEvicts() {
		this.cache.putIfNewer(PRODUCT, 42, "two", 2);
		((List<?>) Objects.requireNonNull(this.redis.command("KEYS", "*"))).stream()
			.map(String::valueOf)
			.filter((key) -> !key.endsWith("}") && !key.endsWith(":epoch"))
			.forEach((key) -> this.redis.command("DEL", key));
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "one", 1)).isFalse();
		assertThat(this.cache.get(PRODUCT, 42, () -> "loaded")).isEqualTo("two");
	}

	@Test
	void aRefreshKeepsTheVersion() {
		this.cache.putIfNewer(PRODUCT, 42, "two", 2);
		assertThat(this.cache.refresh(PRODUCT, 42, () -> "refreshed").orTimeout(20, TimeUnit.SECONDS).join()).isTrue();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "one", 1)).isFalse();
		assertThat(this.cache.putIfNewer(PRODUCT, 42, "three", 3)).isTrue();
	}

	@Test
	void anOldValueThatMayNotBeStoredDoesNotEvictANewerOne() {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withMaxSize(DataSize.ofBytes(100)));
		this.cache.putIfNewer(brief, 42, "newer", 2);
		assertThat(this.cache.putIfNewer(brief, 42, "x".repeat(200), 1)).isFalse();
		assertThat(this.cache.get(brief, 42, () -> "loaded")).isEqualTo("newer");
	}

}
