package io.github.lockboot.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisOptions;
import io.github.lockboot.fixture.RedisSentinels;

import static org.assertj.core.api.Assertions.assertThat;

class RedisLockTemplateSentinelTests {

	@Test
	void findsTheMasterBySentinelsAndFollowsAFailover() {
		try (RedisSentinels sentinels = RedisFixture.newSentinels(1, 3, RedisOptions.defaults().withPassword("secret"));
				RedisLockTemplate locks = new RedisLockTemplate(application(sentinels), RedisLockSettings.defaults(),
						List.of())) {
			try (LockHandle lock = locks.acquire("orders:42")) {
				assertThat(lock.isHeld()).isTrue();
				assertThat(sentinels.master().command("EXISTS", "lock:{orders:42}")).isEqualTo(1L);
			}
			assertThat(sentinels.master().command("EXISTS", "lock:{orders:42}")).isEqualTo(0L);
			sentinels.master().kill();
			locks.acquire(LockRequest.of("orders:42").waitTime(Duration.ofSeconds(15))).close();
			assertThat(sentinels.servers().get(1).info("replication", "role")).isEqualTo("master");
		}
	}

	@Test
	void handsLocksOverAfterAFailover() {
		LockRequest patient = LockRequest.of("orders:42").waitTime(Duration.ofSeconds(30));
		try (RedisSentinels sentinels = RedisFixture.newSentinels(1, 3, RedisOptions.defaults().withPassword("secret"));
				RedisLockTemplate locks = new RedisLockTemplate(application(sentinels), RedisLockSettings.defaults(),
						List.of());
				RedisLockTemplate other = new RedisLockTemplate(application(sentinels), RedisLockSettings.defaults(),
						List.of())) {
			sentinels.master().kill();
			LockHandle held = locks.acquire(patient);
			CompletableFuture<LockHandle> waiting = other.acquireAsync(patient).toCompletableFuture();
			Awaitility.await()
				.until(() -> Long.valueOf(1).equals(sentinels.servers().get(1).command("LLEN", "lock:{orders:42}:q")));
			held.close();
			assertThat(waiting).succeedsWithin(Duration.ofSeconds(10)).satisfies(LockHandle::close);
		}
	}

	private static LettuceConnectionFactory application(RedisSentinels sentinels) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration(sentinels.masterName(),
				new HashSet<>(sentinels.nodes()));
		configuration.setPassword("secret");
		return new LettuceConnectionFactory(configuration);
	}

}
