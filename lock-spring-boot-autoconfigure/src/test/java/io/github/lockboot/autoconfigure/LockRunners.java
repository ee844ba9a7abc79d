package io.github.lockboot.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.fixture.RedisServer;

/**
 * Runners of applications with locks and annotated methods.
 */
public final class LockRunners {

	private LockRunners() {
	}

	/** Return a runner of applications whose locks are in memory. */
	public static ApplicationContextRunner local(Class<?>... further) {
		return new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(further))
			.withPropertyValues("lock.backend=local");
	}

	/** Return a runner of applications whose locks are in Redis. */
	public static ApplicationContextRunner redis(RedisServer redis, Class<?>... further) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
					DistributedLockAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(further))
			.withPropertyValues("spring.data.redis.host=" + redis.host(), "spring.data.redis.port=" + redis.port());
	}

}
