package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * What somebody reads whose application does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzerTests {

	@Test
	void findingsAreListedInOneReport(CapturedOutput output) {
		start(TwoMistakes.class, "--lock.backend=local");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("TwoMistakes$Orders.hidden() is private")
			.contains("names the unknown variable '#typo'")
			.contains("lock.aspect.validation=warn");
	}

	@Test
	void missingBackendIsReportedWithTheMethodsThatNeedIt(CapturedOutput output) {
		start(OneMethod.class, "--spring.autoconfigure.exclude=" + RedisLockAutoConfiguration.class.getName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is no LockOperations bean")
			.contains("OneMethod$Orders.pay()")
			.contains("lock.backend=local");
	}

	@Test
	void severalBackendsAreReported(CapturedOutput output) {
		start(TwoBackends.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("several LockOperations beans")
			.contains("@Primary");
	}

	@Test
	void jedisIsReported(CapturedOutput output) {
		start(OneMethod.class, "--spring.data.redis.client-type=jedis");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("JedisConnectionFactory")
			.contains("spring.data.redis.client-type=lettuce");
	}

	@Test
	void unreachableClusterIsReported(CapturedOutput output) {
		start(OneMethod.class, "--spring.data.redis.cluster.nodes=localhost:1");
		assertThat(output).contains("APPLICATION FAILED TO START").contains("Configured is Redis at localhost:1.");
	}

	@Test
	void unreachableMastersOfRedlockAreReported(CapturedOutput output) {
		start(OneMethod.class, "--lock.redis.redlock.nodes=localhost:1,localhost:2,localhost:3");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Fewer than 2 of the 3")
			.contains("Configured is Redis at localhost:1,localhost:2,localhost:3.");
	}

	@Test
	void unreachableRedisIsReported(CapturedOutput output) {
		start(OneMethod.class, "--spring.data.redis.port=1");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Configured is Redis at localhost:1.")
			.contains("correct its address and password under spring.data.redis");
	}

	@Test
	void invalidPropertyIsReportedByItsName(CapturedOutput output) {
		start(OneMethod.class, "--lock.wait-time=-1s", "--lock.backend=local");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("lock.waitTime")
			.contains("must not be negative");
	}

	@ParameterizedTest
	@CsvSource({ "host, redis.example, redis.example:6379", "port, 7, localhost:7",
			"url, redis://user:secret@redis.example:8, redis.example:8", "'cluster.nodes', 'a:1,b:2', 'a:1,b:2'",
			"'sentinel.nodes', 'c:1', 'c:1'" })
	void unavailableRedisIsNamedByItsAddressWithoutPassword(String property, String value, String address) {
		LockUnavailableException failure = new LockUnavailableException(null, "Redis can't be reached",
				new IllegalStateException("refused"));
		FailureAnalysis analysis = new LockUnavailableFailureAnalyzer(
				new MockEnvironment().withProperty("spring.data.redis." + property, value))
			.analyze(failure, failure);
		assertThat(analysis.getDescription()).contains("Redis at " + address + ".")
			.contains("refused")
			.doesNotContain("secret");
		assertThat(analysis.getAction()).contains("spring.data.redis").contains("lock.backend=local");
	}

	private static void start(Class<?> application, String... arguments) {
		assertThatException().isThrownBy(() -> new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.bannerMode(Banner.Mode.OFF)
			.logStartupInfo(false)
			.run(arguments));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class OneMethod {

		@Bean
		Orders orders() {
			return new Orders();
		}

		static class Orders {

			@DistributedLock
			public void pay() {
			}

		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TwoBackends {

		@Bean
		LockOperations first() {
			return new RecordingLockOperations();
		}

		@Bean
		LockOperations second() {
			return new RecordingLockOperations();
		}

		@Bean
		OneMethod.Orders orders() {
			return new OneMethod.Orders();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TwoMistakes {

		@Bean
		Orders orders() {
			return new Orders();
		}

		static class Orders {

			@DistributedLock
			private void hidden() {
			}

			@DistributedLock("#typo")
			public void misspelt(String id) {
				hidden();
			}

		}

	}

}
