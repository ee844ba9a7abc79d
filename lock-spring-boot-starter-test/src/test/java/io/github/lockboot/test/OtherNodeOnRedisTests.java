package io.github.lockboot.test;

import java.time.Duration;
import java.util.List;

import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

/**
 * Another node with locks in Redis.
 */
@RedisTest
class OtherNodeOnRedisTests extends OtherNodeContract {

	private final RedisServer redis;

	OtherNodeOnRedisTests(RedisServer redis) {
		this.redis = redis;
	}

	@Override
	LockTemplate template(LockJournal journal) {
		return new RedisLockTemplate(
				new LettuceConnectionFactory(this.redis.host(), this.redis.port()), new RedisLockSettings("lock:",
						LockDefaults.defaults(), Duration.ofSeconds(10), false, 0, RedisLockSettings.Startup.FAIL),
				List.of(journal));
	}

}
