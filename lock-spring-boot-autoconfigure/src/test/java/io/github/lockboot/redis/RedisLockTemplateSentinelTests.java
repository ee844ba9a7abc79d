package io.github.lockboot.redis;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;

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
			assertThat(sentinels.master()).isNotSameAs(sentinels.servers().get(0));
		}
	}

	private static LettuceConnectionFactory application(RedisSentinels sentinels) {
		RedisSentinelConfiguration configuration = new RedisSentinelConfiguration(sentinels.masterName(),
				new HashSet<>(sentinels.nodes()));
		configuration.setPassword("secret");
		return new LettuceConnectionFactory(configuration);
	}

}
