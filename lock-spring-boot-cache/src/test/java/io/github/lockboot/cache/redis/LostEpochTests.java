package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM with an old epoch receives the new one, also from a Redis that starts from an RDB
 * file which is older than a clear.
 */
@RedisTest
@Timeout(60)
class LostEpochTests {

	private final RedisServer redis;

	private final CacheFixture fixture;

	private final RedisCacheTemplate cache;

	private final RedisCacheTemplate other;

	LostEpochTests(RedisServer redis) {
		this.redis = redis;
		this.fixture = new CacheFixture(redis);
		this.cache = this.fixture.template();
		this.other = this.fixture.timeless();
	}

	@AfterEach
	void close() {
		this.fixture.close();
	}

	@Test
	void anEvictReachesOtherJvmsAfterRedisHasLostItsData() {
		this.other.get(PRODUCT, 42, () -> "before");
		this.redis.flushAll();
		this.other.get(PRODUCT, 42, () -> "after");
		this.cache.evict("product", 42);
		awaitEvictedElsewhere();
	}

	@Test
	void aMissedEpochIsRequestedOnceTheSubscriptionIsBack() {
		this.other.get(PRODUCT, 42, () -> "old");
		this.redis.command("INCR", "cache:product:epoch");
		this.redis.command("CLIENT", "KILL", "TYPE", "pubsub");
		awaitEvictedElsewhere();
	}

	/** Its folder survives a kill, and only {@code SAVE} writes a file there. */
	@Test
	void clearedEntriesAreBackUntilAJvmAsksThatKnowsTheLaterEpoch() {
		RedisOptions withFolder = new RedisOptions(List.of(), Map.of(), null, true, false, null);
		try (RedisServer restored = RedisFixture.newServer(withFolder);
				CacheFixture jvms = new CacheFixture(restored)) {
			RedisCacheTemplate before = jvms.warmTemplate();
			before.put(PRODUCT, 42, "old");
			restored.command("SAVE");
			before.clear("product");
			restored.kill();
			restored.start();
			RedisCacheTemplate after = jvms.warmTemplate();
			assertThat(after.getIfPresent(PRODUCT, 42)).hasToString("CachedValue[value=old]");
			Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
				assertThat(before.getIfPresent(PRODUCT, 42)).isNull();
				assertThat(after.getIfPresent(PRODUCT, 42)).isNull();
			});
		}
	}

	private void awaitEvictedElsewhere() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull());
	}

}
