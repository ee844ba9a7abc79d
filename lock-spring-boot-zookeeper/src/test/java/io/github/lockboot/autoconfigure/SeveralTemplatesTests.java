package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.actuate.LocksDescriptor.TemplateDescriptor;
import io.github.lockboot.actuate.LocksEndpoint;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.autoconfigure.jdbc.JdbcLockTemplates;
import io.github.lockboot.autoconfigure.zookeeper.ZookeeperLockTemplates;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.fixture.TestEnsemble;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.redis.RedisLockTemplate;
import io.github.lockboot.redis.redlock.RedlockTemplate;
import io.github.lockboot.zookeeper.ZookeeperLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with two Redis servers: the auto-configured template and another one.
 */
@Tag("long")
@RedisTest
class SeveralTemplatesTests {

	private final RedisServer first;

	@AutoClose
	private final RedisServer second = RedisFixture.newServer();

	SeveralTemplatesTests(RedisServer first) {
		this.first = first;
	}

	private ApplicationContextRunner runner() {
		return LockRunners
			.redis(this.first, LockMonitoringAutoConfiguration.class, LockHealthContributorAutoConfiguration.class,
					LocksEndpointAutoConfiguration.class)
			.withBean(SimpleMeterRegistry.class)
			.withPropertyValues("second.host=" + this.second.host(), "second.port=" + this.second.port(),
					"lock.key-prefix=shop:", "lock.redis.command-timeout=5s",
					"management.endpoints.web.exposure.include=locks");
	}

	@Test
	void methodsAreLockedOnTheServerOfTheirTemplate() {
		runner().withUserConfiguration(Application.class).run((context) -> {
			assertThat(context).hasNotFailed().getBeans(LockOperations.class).hasSize(2);
			Service service = context.getBean(Service.class);
			assertThat(service.keysWhileLockedOnTheSecond(this.first, this.second)).containsExactly("0", "1");
			assertThat(service.keysWhileLockedOnTheFirst(this.first, this.second)).containsExactly("1", "0");
		});
	}

	@Test
	void aSecondTemplateHasMetersHealthAndTheEndpoint() {
		runner().withUserConfiguration(Application.class)
			.run((context) -> assertMonitored(context, "secondLocks", "secondLocks", "redisLockTemplate"));
	}

	@Test
	void aTemplateOfAnotherStoreBesideRedisHasMetersHealthAndTheEndpoint() {
		try (RedisServer third = RedisFixture.newServer(); RedisServer fourth = RedisFixture.newServer()) {
			List<String> nodes = Stream.of(this.second, third, fourth)
				.map((node) -> node.host() + ":" + node.port())
				.toList();
			runner()
				.withPropertyValues("nodes=" + String.join(",", nodes), "lock.retain-time=1s",
						"zookeeper=" + TestEnsemble.single().connectString())
				.withUserConfiguration(OtherStores.class)
				.run((context) -> {
					for (String template : List.of("databaseLocks", "ensembleLocks", "majorityLocks")) {
						assertMonitored(context, template, "databaseLocks", "ensembleLocks", "majorityLocks",
								"redisLockTemplate");
					}
				});
		}
	}

	private static void assertMonitored(AssertableApplicationContext context, String template, String... all) {
		assertThat(context).hasNotFailed();
		LocksEndpoint endpoint = context.getBean(LocksEndpoint.class);
		long before = acquired(context);
		try (LockHandle held = context.getBean(template, LockOperations.class).acquire(LockRequest.of(template))) {
			assertThat(held.isHeld()).isTrue();
			TemplateDescriptor shown = Objects
				.requireNonNull(endpoint.lock(new String[] { template }, template).templates().get(template));
			assertThat(shown.store()).isNotNull().extracting(LockState::isHeld).isEqualTo(true);
		}
		assertThat(acquired(context)).isEqualTo(before + 1);
		assertThat(endpoint.locks(null, null, null, null, null, null).templates()).containsOnlyKeys(all);
		CompositeHealthContributor health = context.getBean(CompositeHealthContributor.class);
		HealthIndicator indicator = (HealthIndicator) Objects.requireNonNull(health.getContributor(template));
		assertThat(Objects.requireNonNull(indicator.health(false)).getStatus()).isEqualTo(Status.UP);
	}

	private static long acquired(AssertableApplicationContext context) {
		return context.getBean(MeterRegistry.class)
			.find("lock.acquire")
			.tag("outcome", "acquired")
			.timers()
			.stream()
			.mapToLong(Timer::count)
			.sum();
	}

	static class Service {

		@DistributedLock(name = "on-the-first")
		public List<String> keysWhileLockedOnTheFirst(RedisServer first, RedisServer second) {
			return exists("shop:{on-the-first}", first, second);
		}

		@DistributedLock(name = "on-the-second", template = "secondLocks")
		public List<String> keysWhileLockedOnTheSecond(RedisServer first, RedisServer second) {
			return exists("shop:{on-the-second}", first, second);
		}

		private static List<String> exists(String key, RedisServer first, RedisServer second) {
			return List.of(String.valueOf(first.command("EXISTS", key)), String.valueOf(second.command("EXISTS", key)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean(defaultCandidate = false)
		RedisLockTemplate secondLocks(BeanFactory beans, Environment environment) {
			return LockTemplates.of(beans)
				.redis(new LettuceConnectionFactory(environment.getRequiredProperty("second.host"),
						environment.getRequiredProperty("second.port", Integer.class)));
		}

		@Bean
		Service service() {
			return new Service();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OtherStores {

		@Bean(defaultCandidate = false)
		JdbcLockTemplate databaseLocks(BeanFactory beans) {
			return JdbcLockTemplates.create(beans,
					new DriverManagerDataSource("jdbc:h2:mem:beside;DB_CLOSE_DELAY=-1", "sa", ""));
		}

		@Bean(defaultCandidate = false)
		ZookeeperLockTemplate ensembleLocks(BeanFactory beans, Environment environment) {
			return ZookeeperLockTemplates.create(beans, environment.getRequiredProperty("zookeeper"));
		}

		@Bean(defaultCandidate = false)
		RedlockTemplate majorityLocks(BeanFactory beans, RedisConnectionFactory redis, Environment environment) {
			return LockTemplates.of(beans).redlock(redis, List.of(environment.getRequiredProperty("nodes").split(",")));
		}

	}

}
