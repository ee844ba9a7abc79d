package io.github.lockboot.test;

import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.core.StringRedisTemplate;

import io.github.lockboot.LockOperations;
import io.github.lockboot.autoconfigure.RedisLockAutoConfiguration;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static io.github.lockboot.test.LockAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What {@code @ServiceConnection} does, without a container.
 */
@RedisTest
class ConnectionDetailsTests {

	private final DataRedisConnectionDetails details;

	ConnectionDetailsTests(RedisServer redis) {
		this.details = new DataRedisConnectionDetails() {

			@Override
			public Standalone getStandalone() {
				return Standalone.of(redis.host(), redis.port());
			}

		};
	}

	@Test
	void locksAndTheOtherNodeUseTheServerOfTheConnectionDetails() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
					LockTestAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=no-such-host.invalid")
			.withBean(DataRedisConnectionDetails.class, () -> this.details)
			.run((context) -> {
				context.getBean(OtherNode.class).hold("order:4711");
				assertThat(context.getBean(LockOperations.class)).lock("order:4711").isHeld();
				assertThat(context.getBean(StringRedisTemplate.class).hasKey("lock:{order:4711}")).isTrue();
			});
	}

}
