package io.github.lockboot.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with two Redis servers: the auto-configured template and another one.
 */
@RedisTest
class SeveralTemplatesTests {

	private final RedisServer first;

	private final RedisServer second = RedisFixture.newServer();

	SeveralTemplatesTests(RedisServer first) {
		this.first = first;
	}

	@AfterEach
	void close() {
		this.second.close();
	}

	@Test
	void methodsAreLockedOnTheServerOfTheirTemplate() {
		new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class, RedisLockAutoConfiguration.class,
					DistributedLockAutoConfiguration.class))
			.withPropertyValues("spring.data.redis.host=" + this.first.host(),
					"spring.data.redis.port=" + this.first.port(), "second.host=" + this.second.host(),
					"second.port=" + this.second.port())
			.withUserConfiguration(Application.class)
			.run((context) -> {
				assertThat(context).hasNotFailed().getBeans(LockOperations.class).hasSize(2);
				Service service = context.getBean(Service.class);
				assertThat(service.keysWhileLockedOnTheSecond(this.first, this.second)).containsExactly("0", "1");
				assertThat(service.keysWhileLockedOnTheFirst(this.first, this.second)).containsExactly("1", "0");
			});
	}

	static class Service {

		@DistributedLock(name = "on-the-first")
		public List<String> keysWhileLockedOnTheFirst(RedisServer first, RedisServer second) {
			return exists("lock:{on-the-first}", first, second);
		}

		@DistributedLock(name = "on-the-second", template = "secondLocks")
		public List<String> keysWhileLockedOnTheSecond(RedisServer first, RedisServer second) {
			return exists("lock:{on-the-second}", first, second);
		}

		private static List<String> exists(String key, RedisServer first, RedisServer second) {
			return List.of(String.valueOf(first.command("EXISTS", key)), String.valueOf(second.command("EXISTS", key)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		@Bean(defaultCandidate = false)
		RedisLockTemplate secondLocks(Environment environment) {
			LettuceConnectionFactory connections = new LettuceConnectionFactory(
					environment.getRequiredProperty("second.host"),
					environment.getRequiredProperty("second.port", Integer.class));
			return new RedisLockTemplate(connections, RedisLockSettings.defaults(), List.of());
		}

		@Bean
		Service service() {
			return new Service();
		}

	}

}
