package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.HashSet;

import io.lettuce.core.ReadFrom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisSentinels;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cache during a fail-over by Sentinels, which takes about four seconds.
 */
@Timeout(120)
class RedisCacheSentinelTests {

	private static final Duration LONG = Duration.ofSeconds(40);

	private final RedisSentinels sentinels = RedisFixture.newSentinels(1, 3);

	private final CacheFixture fixture = new CacheFixture(application());

	private final CacheTemplate cache = this.fixture.template();

	private final CacheTemplate other = this.fixture.template();

	@BeforeEach
	void warmUp() {
		CacheFixture.warm(this.cache);
		CacheFixture.warm(this.other);
	}

	@AfterEach
	void close() {
		this.fixture.close();
		this.sentinels.close();
	}

	private LettuceConnectionFactory application() {
		return new LettuceConnectionFactory(
				new RedisSentinelConfiguration(this.sentinels.masterName(), new HashSet<>(this.sentinels.nodes())),
				LettuceClientConfiguration.builder().readFrom(ReadFrom.REPLICA).build());
	}

	@Test
	void noReadUsesAReplicaAndAfterAFailoverEntriesAreServedAndLoadedOnceButNoEvictedOne() {
		RedisServer replica = this.sentinels.servers().get(1);
		long before = replica.commandStats().of("get");
		assertThat(this.cache.get(PRODUCT, "kept", () -> "kept")).isEqualTo("kept");
		assertThat(this.cache.get(PRODUCT, "kept", this.fixture::load)).isEqualTo("kept");
		assertThat(this.other.get(PRODUCT, "evicted", () -> "old")).isEqualTo("old");
		assertThat(replica.commandStats().of("get")).isEqualTo(before);
		this.cache.evict("product", "evicted");
		this.sentinels.master().awaitReplicas(1);
		failOver();
		assertThat(this.other.get(PRODUCT, "kept", this.fixture::load)).isEqualTo("kept");
		assertThat(this.other.getIfPresent(PRODUCT, "evicted")).isNull();
		assertThat(this.fixture.inThreads(20,
				(i) -> ((i % 2 == 0) ? this.cache : this.other).get(PRODUCT, "evicted", this.fixture::load)))
			.containsOnly("value 1");
	}

	@Test
	void anEvictDuringTheFailoverSucceedsWhenThereIsAMasterAgain() {
		assertThat(this.other.get(PRODUCT, 42, () -> "old")).isEqualTo("old");
		this.sentinels.master().awaitReplicas(1);
		this.sentinels.master().kill();
		this.cache.evict("product", 42);
		assertThat(this.cache.get(PRODUCT, 42, () -> "new")).isEqualTo("new");
		this.sentinels.awaitHealthy();
		Awaitility.await()
			.atMost(LONG)
			.until(() -> this.fixture.count(CacheEvent.EVICTED) > 0
					&& !this.other.get(PRODUCT, 42, () -> "new").equals("old"));
	}

	private void failOver() {
		RedisServer old = this.sentinels.master();
		old.kill();
		Awaitility.await().atMost(LONG).until(() -> this.sentinels.master() != old);
		this.sentinels.awaitHealthy();
		for (CacheTemplate template : new CacheTemplate[] { this.cache, this.other }) {
			Awaitility.await().atMost(LONG).until(() -> {
				template.put(PRODUCT, "probe", "there");
				return template.getIfPresent(PRODUCT, "probe") != null;
			});
		}
	}

}
