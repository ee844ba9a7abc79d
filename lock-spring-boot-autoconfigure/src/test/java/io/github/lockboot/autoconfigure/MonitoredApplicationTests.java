package io.github.lockboot.autoconfigure;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Metrics of an application with annotated methods and a real Redis.
 */
@RedisTest
class MonitoredApplicationTests {

	private final ApplicationContextRunner runner;

	MonitoredApplicationTests(RedisServer redis) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(DataRedisAutoConfiguration.class, DistributedLockAutoConfiguration.class,
							RedisLockAutoConfiguration.class, LockMonitoringAutoConfiguration.class))
			.withBean(SimpleMeterRegistry.class)
			.withBean(Shop.class)
			// a busy machine must not trip the breaker
			.withPropertyValues("spring.data.redis.url=" + redis.uri(), "lock.redis.command-timeout=5s");
	}

	@Test
	void annotatedMethodsAreMeasuredUnderTheirNames() {
		this.runner.run((context) -> {
			Shop shop = context.getBean(Shop.class);
			shop.pay("4711");
			shop.pay("4712");
			assertThat(
					meters(context).get("lock.acquire").tag("name", "order").tag("outcome", "acquired").timer().count())
				.isEqualTo(2);
			assertThat(meters(context).get("lock.active").tag("name", "order").gauge().value()).isZero();
		});
	}

	private static MeterRegistry meters(AssertableApplicationContext context) {
		return context.getBean(MeterRegistry.class);
	}

	static class Shop {

		@DistributedLock(name = "order", key = "#id")
		public void pay(String id) {
		}

	}

}
