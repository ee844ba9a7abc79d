package io.github.lockboot.autoconfigure;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.actuate.LockHealthIndicator;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application that starts while Redis is down.
 */
@Timeout(90)
class StartWithoutRedisTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
				LockHealthContributorAutoConfiguration.class));

	@Test
	void failsByDefault() {
		try (RedisServer redis = RedisFixture.newServer()) {
			redis.kill();
			this.runner.withPropertyValues("spring.data.redis.port=" + redis.port())
				.run((context) -> assertThat(context).hasFailed());
		}
	}

	@Test
	void startsWithRetryAndReportsItsHealth() {
		try (RedisServer redis = RedisFixture.newServer()) {
			redis.kill();
			this.runner.withPropertyValues("spring.data.redis.port=" + redis.port(), "lock.redis.startup=retry")
				.run((context) -> {
					LockHealthIndicator health = context.getBean(LockHealthIndicator.class);
					Health down = health.health();
					assertThat(down.getStatus()).isEqualTo(Status.DOWN);
					assertThat(String.valueOf(down.getDetails().get("error"))).contains("lock.redis.startup=retry");
					redis.start();
					Awaitility.await().until(() -> health.health().getStatus().equals(Status.UP));
				});
		}
	}

}
