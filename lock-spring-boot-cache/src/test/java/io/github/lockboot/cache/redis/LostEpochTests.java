package io.github.lockboot.cache.redis;

import java.time.Duration;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A JVM with an old epoch receives the new one.
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

	private void awaitEvictedElsewhere() {
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.untilAsserted(() -> assertThat(this.other.getIfPresent(PRODUCT, 42)).isNull());
	}

}
