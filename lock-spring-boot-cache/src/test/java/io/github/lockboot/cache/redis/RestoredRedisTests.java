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

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Redis that starts from an RDB file which is older than a clear.
 */
@Timeout(60)
class RestoredRedisTests {

	/** Its folder survives a kill, and only {@code SAVE} writes a file there. */
	private final RedisServer redis = RedisFixture
		.newServer(new RedisOptions(List.of(), Map.of(), null, true, false, null));

	private final CacheFixture fixture = new CacheFixture(this.redis);

	@AfterEach
	void close() {
		this.fixture.close();
		this.redis.close();
	}

	@Test
	void clearedEntriesAreBackUntilAJvmAsksThatKnowsTheLaterEpoch() {
		RedisCacheTemplate before = this.fixture.warmTemplate();
		before.put(PRODUCT, 42, "old");
		this.redis.command("SAVE");
		before.clear("product");
		this.redis.kill();
		this.redis.start();
		RedisCacheTemplate after = this.fixture.warmTemplate();
		assertThat(after.getIfPresent(PRODUCT, 42)).hasToString("CachedValue[value=old]");
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			assertThat(before.getIfPresent(PRODUCT, 42)).isNull();
			assertThat(after.getIfPresent(PRODUCT, 42)).isNull();
		});
	}

}
