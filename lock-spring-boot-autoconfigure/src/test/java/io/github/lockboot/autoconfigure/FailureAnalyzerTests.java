package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Objects;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.ClassUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.redis.RedisLockSettings;
import io.github.lockboot.redis.RedisLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failure messages of an application that does not start.
 */
@ExtendWith(OutputCaptureExtension.class)
class FailureAnalyzerTests {

	@Test
	void findingsAreListedInOneReport(CapturedOutput output) {
		StartFailures.start(TwoMistakes.class, "--lock.backend=local");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("TwoMistakes$Orders.hidden() is private")
			.contains("names the unknown variable '#typo'")
			.contains("lock.aspect.validation=warn");
	}

	@Test
	void missingBackendIsReportedWithTheMethodsThatNeedIt(CapturedOutput output) {
		StartFailures.start(OneMethod.class,
				"--spring.autoconfigure.exclude=" + RedisLockAutoConfiguration.class.getName());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("There is no LockOperations bean")
			.contains("OneMethod$Orders.pay()")
			.contains("lock.backend=local");
	}

	@Test
	void unknownBackendIsReportedIfATemplateIsInjected(CapturedOutput output) {
		StartFailures.start(OneInjectedTemplate.class, "--lock.backend=memcached");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("lock.backend is 'memcached', which is not a backend on the class path")
			.contains("lock-spring-boot-starter-memcached")
			.contains("set lock.backend to a store on the class path: local, redis")
			.doesNotContain("Consider defining a bean");
	}

	@Test
	void disabledLocksAreReportedIfATemplateIsInjected(CapturedOutput output) {
		StartFailures.start(OneInjectedTemplate.class, "--lock.enabled=false");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Parameter 0 of method invoices")
			.contains("lock.enabled is false")
			.doesNotContain("Consider defining a bean");
	}

	@Test
	void excludedLocksAreReportedIfATemplateIsInjected(CapturedOutput output) {
		StartFailures.start(OneInjectedTemplate.class,
				"--spring.autoconfigure.exclude=" + RedisLockAutoConfiguration.class.getName());
		assertThat(output).contains("its auto-configuration is not part of this application")
			.doesNotContain("Consider defining a bean");
	}

	@Test
	void missingSpringDataRedisIsReportedIfATemplateIsInjected() {
		ClassLoader own = ClassUtils
			.overrideThreadContextClassLoader(new FilteredClassLoader("org.springframework.data"));
		try {
			assertThat(new MissingTemplateFailureAnalyzer(new MockEnvironment())
				.analyze(new NoSuchBeanDefinitionException(LockOperations.class))).isNotNull()
				.satisfies((analysis) -> assertThat(analysis.getDescription()).contains("not on the class path"))
				.satisfies((analysis) -> assertThat(analysis.getAction())
					.contains("Add org.springframework.boot:spring-boot-starter-data-redis"));
		}
		finally {
			ClassUtils.overrideThreadContextClassLoader(own);
		}
	}

	@Test
	void severalBackendsAreReported(CapturedOutput output) {
		StartFailures.start(TwoBackends.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("several LockOperations beans")
			.contains("@Primary");
	}

	@Test
	void unknownHostOfATemplateByHandIsReportedWithItsMethod(CapturedOutput output) {
		StartFailures.start(TemplateByHand.class, "--lock.backend=local");
		assertThat(output).contains("APPLICATION FAILED TO START", "TemplateByHand.reportLocks()", "reports.invalid")
			.doesNotContain("spring.data.redis");
	}

	@Test
	void aFactoryOfJedisThatTheApplicationDefinesIsReported(CapturedOutput output) {
		StartFailures.start(WithJedis.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("the application's connection factory is a " + JedisConnectionFactory.class.getName() + ".")
			.contains("lock.redis.connection-factory");
	}

	@Test
	void unreachableClusterIsReported(CapturedOutput output) {
		StartFailures.start(OneMethod.class, "--spring.data.redis.cluster.nodes=localhost:1");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The application is configured to use Redis at localhost:1.");
	}

	@Test
	void unreachableMastersOfRedlockAreReported(CapturedOutput output) {
		StartFailures.start(OneMethod.class, "--lock.redis.redlock.nodes=localhost:1,localhost:2,localhost:3");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Fewer than 2 of the 3")
			.contains("The application is configured to use Redis at localhost:1,localhost:2,localhost:3.")
			.contains("or correct lock.redis.redlock.nodes");
	}

	@Test
	void unreachableRedisIsReported(CapturedOutput output) {
		StartFailures.start(OneMethod.class, "--spring.data.redis.port=1");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("The application is configured to use Redis at localhost:1.")
			.contains("correct its address and password under spring.data.redis");
	}

	@Test
	void aRunnerThatIsRefusedALockByTheShutdownIsNotTakenForAnOutageOfRedis(CapturedOutput output) {
		StartFailures.start(StoppedInARunner.class, "--lock.backend=local");
		assertThat(output).contains("Lock 'a' was not acquired: the locks are closed")
			.contains("The application was stopped before its runners had ended")
			.doesNotContain("is configured to use");
	}

	@Test
	void aRunnerThatCallsALockedMethodAfterTheShutdownIsNotTakenForAnOutageOfRedis(CapturedOutput output) {
		StartFailures.start(LockedInAStoppedRunner.class, "--lock.backend=local");
		assertThat(output).contains("No lock was acquired: the application context is closed")
			.contains("The application was stopped before its runners had ended")
			.doesNotContain("is configured to use");
	}

	@Test
	void severalConnectionFactoriesAreReported(CapturedOutput output) {
		StartFailures.start(TwoServers.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("none is primary: first, second.")
			.contains("lock.redis.connection-factory");
	}

	@Test
	void unknownConnectionFactoryIsReported(CapturedOutput output) {
		StartFailures.start(TwoServers.class, "--lock.redis.connection-factory=third");
		assertThat(output).contains("lock.redis.connection-factory names 'third'")
			.contains("Name one of these beans: first, second.");
	}

	@Test
	void excludedRedisIsReported(CapturedOutput output) {
		StartFailures.start(OneMethod.class,
				"--spring.autoconfigure.exclude=" + DataRedisAutoConfiguration.class.getName());
		assertThat(output).contains("a RedisConnectionFactory bean, but there is none")
			.contains("Configure Redis under spring.data.redis");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					lock.redis.redlock.nodes=a:1,b:1      | lock.redis.redlock.nodes        | The number of masters must be odd
					lock.key-prefix={a}                   | lock.key-prefix                 | must not contain a brace
					lock.locks.order.wait-time=-1s        | lock.locks[order].wait-time     | The wait time of lock 'order' must not be negative
					lock.locks.order.min-hold-time=400d   | lock.locks[order].min-hold-time  | must not be longer than 365 days
					lock.locks.order.permits=0            | lock.locks[order].permits       | The permits of lock 'order' must be at least 1 but are 0
					lock.backend=zookeeper                | lock.backend                    | Add io.github.lockboot:lock-spring-boot-starter-zookeeper
					lock.aspect.order=first               | lock.aspect.order               | first
					lock.aspect.mode=magic                | lock.aspect.mode                | PROXY
					lock.transaction.release=never        | lock.transaction.release        | AFTER_COMPLETION
					lock.enabled=perhaps                  | lock.enabled                    | perhaps
					""")
	void invalidValueIsReportedWithItsProperty(String argument, String property, String reason, CapturedOutput output) {
		StartFailures.start(OneMethod.class, "--" + argument);
		assertThat(output).contains("APPLICATION FAILED TO START").contains(property).contains(reason);
	}

	@Test
	void invalidPropertyIsReportedByItsName(CapturedOutput output) {
		StartFailures.start(OneMethod.class, "--lock.wait-time=-1s", "--lock.backend=local");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("Property: lock.wait-time")
			.contains("Reason: The wait time must not be negative but is -1s");
	}

	@ParameterizedTest
	@CsvSource({ "host, redis.example, redis.example:6379", "port, 7, localhost:7",
			"url, redis://user:secret@redis.example:8, redis.example:8", "'cluster.nodes', 'a:1,b:2', 'a:1,b:2'",
			"'sentinel.nodes', 'c:1', 'c:1'" })
	void unavailableRedisIsReportedWithItsAddressWithoutPassword(String property, String value, String address) {
		LockUnavailableException failure = new LockUnavailableException(null, "Redis can't be reached",
				new IllegalStateException("refused"));
		FailureAnalysis analysis = Objects.requireNonNull(
				new LockFailureAnalyzer(new MockEnvironment().withProperty("spring.data.redis." + property, value))
					.analyze(failure, failure));
		assertThat(analysis.getDescription()).contains("Redis at " + address + ".")
			.contains("refused")
			.doesNotContain("secret");
		assertThat(analysis.getAction()).contains("spring.data.redis")
			.contains("lock.redis.startup=retry")
			.contains("lock.backend=local");
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class WithJedis extends OneMethod {

		@Bean
		JedisConnectionFactory jedis() {
			return new JedisConnectionFactory();
		}

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
	static class OneInjectedTemplate {

		@Bean
		String invoices(LockOperations locks) {
			return locks.toString();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class StoppedInARunner {

		@Bean
		ApplicationRunner runner(ConfigurableApplicationContext context, LockOperations locks) {
			return (arguments) -> {
				context.close();
				locks.acquire("a").close();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LockedInAStoppedRunner extends OneMethod {

		@Bean
		ApplicationRunner runner(ConfigurableApplicationContext context, Orders orders) {
			return (arguments) -> {
				context.close();
				orders.pay();
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TwoServers {

		@Bean
		LettuceConnectionFactory first() {
			return new LettuceConnectionFactory();
		}

		@Bean
		LettuceConnectionFactory second() {
			return new LettuceConnectionFactory();
		}

		@Bean
		OneMethod.Orders orders() {
			return new OneMethod.Orders();
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

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class TemplateByHand {

		@Bean(defaultCandidate = false)
		RedisLockTemplate reportLocks() {
			return new RedisLockTemplate(new LettuceConnectionFactory("reports.invalid", 6379),
					RedisLockSettings.defaults(), List.of());
		}

	}

}
