package io.github.lockboot.autoconfigure;

import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
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

	/**
	 * The texts of a row are in the report, but for one after '!'; and none advises to
	 * define a bean.
	 */
	@ParameterizedTest(name = "{0}")
	@CsvSource(delimiter = '|',
			textBlock = """
					findings are listed in one report | TwoMistakes | lock.backend=local | TwoMistakes$Orders.hidden() is private; names the unknown variable '#typo'; lock.aspect.validation=warn
					a missing backend, with the methods that need it | OneMethod | spring.autoconfigure.exclude=io.github.lockboot.autoconfigure.RedisLockAutoConfiguration | There is no LockOperations bean; OneMethod$Orders.pay(); lock.backend=local
					an unknown backend, if a template is injected | OneInjectedTemplate | lock.backend=memcached | lock.backend is 'memcached', which is not a backend on the class path; lock-spring-boot-starter-memcached; set lock.backend to a store on the class path: local, redis
					disabled locks, if a template is injected | OneInjectedTemplate | lock.enabled=false | Parameter 0 of method invoices; lock.enabled is false
					excluded locks, if a template is injected | OneInjectedTemplate | spring.autoconfigure.exclude=io.github.lockboot.autoconfigure.RedisLockAutoConfiguration | its auto-configuration is not part of this application
					several backends | TwoBackends | | several LockOperations beans; @Primary
					an unknown host of a template by hand, with its method | TemplateByHand | lock.backend=local | TemplateByHand.reportLocks(); reports.invalid; !spring.data.redis
					a factory of Jedis that the application defines | WithJedis | | the application's connection factory is a org.springframework.data.redis.connection.jedis.JedisConnectionFactory.; lock.redis.connection-factory
					an unreachable cluster | OneMethod | spring.data.redis.cluster.nodes=localhost:1 | The application is configured to use Redis at localhost:1.
					unreachable masters of Redlock | OneMethod | lock.redis.redlock.nodes=localhost:1,localhost:2,localhost:3 | Fewer than 2 of the 3; The application is configured to use Redis at localhost:1,localhost:2,localhost:3.; or correct lock.redis.redlock.nodes
					an unreachable Redis | OneMethod | spring.data.redis.port=1 | The application is configured to use Redis at localhost:1.; correct its address and password under spring.data.redis
					a connection factory by its name | OneMethod | spring.data.redis.port=1 lock.redis.connection-factory=redisConnectionFactory | the connection factory 'redisConnectionFactory', by lock.redis.connection-factory
					several connection factories | TwoServers | | none is primary: first, second.; lock.redis.connection-factory
					an unknown connection factory | TwoServers | lock.redis.connection-factory=third | lock.redis.connection-factory names 'third'; Name one of these beans: first, second.
					an excluded Redis | OneMethod | spring.autoconfigure.exclude=org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration | a RedisConnectionFactory bean, but there is none; Configure Redis under spring.data.redis
					an invalid property, by its name | OneMethod | lock.wait-time=-1s lock.backend=local | Property: lock.wait-time; Reason: The wait time must not be negative but is -1s
					an even number of masters | OneMethod | lock.redis.redlock.nodes=a:1,b:1 | lock.redis.redlock.nodes; The number of masters must be odd
					a brace in the prefix | OneMethod | lock.key-prefix={a} | lock.key-prefix; must not contain a brace
					a negative wait time of one lock | OneMethod | lock.locks.order.wait-time=-1s | lock.locks[order].wait-time; The wait time of lock 'order' must not be negative
					a long minimum hold time of one lock | OneMethod | lock.locks.order.min-hold-time=400d | lock.locks[order].min-hold-time; must not be longer than 365 days
					a semaphore without permits | OneMethod | lock.locks.order.permits=0 | lock.locks[order].permits; The permits of lock 'order' must be at least 1 but are 0
					a backend whose starter is missing | OneMethod | lock.backend=zookeeper | lock.backend; Add io.github.lockboot:lock-spring-boot-starter-zookeeper
					an order that is no number | OneMethod | lock.aspect.order=first | lock.aspect.order; first
					an unknown mode | OneMethod | lock.aspect.mode=magic | lock.aspect.mode; PROXY
					an unknown time of the release | OneMethod | lock.transaction.release=never | lock.transaction.release; AFTER_COMPLETION
					a switch that is neither on nor off | OneMethod | lock.enabled=perhaps | lock.enabled; perhaps
					a runner whose lock the shutdown refuses is no outage | StoppedInARunner | lock.backend=local | Lock 'a' was not acquired: the locks are closed; The application was stopped before its runners had ended; !is configured to use
					a runner that calls after the shutdown is no outage | LockedInAStoppedRunner | lock.backend=local | No lock was acquired: the application context is closed; The application was stopped before its runners had ended; !is configured to use
					""")
	void aFailedStartIsReported(String name, String application, @Nullable String arguments, String texts,
			CapturedOutput output) {
		StartFailures.assertReport(getClass(), application, arguments, texts, output);
		assertThat(output).doesNotContain("Consider defining a bean");
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
		assertThat(analysis.getDescription()).contains("Redis at " + address + ".", "refused").doesNotContain("secret");
		assertThat(analysis.getAction()).contains("spring.data.redis", "lock.redis.startup=retry",
				"lock.backend=local");
	}

	@Configuration(proxyBeanMethods = false)
	static class WithJedis extends OneMethod {

		@Bean
		JedisConnectionFactory jedis() {
			return new JedisConnectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(OneMethod.Orders.class)
	static class OneMethod {

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
	static class TwoServers extends OneMethod {

		@Bean
		LettuceConnectionFactory first() {
			return new LettuceConnectionFactory();
		}

		@Bean
		LettuceConnectionFactory second() {
			return new LettuceConnectionFactory();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoBackends extends OneMethod {

		@Bean
		LockOperations first() {
			return new RecordingLockOperations();
		}

		@Bean
		LockOperations second() {
			return new RecordingLockOperations();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(TwoMistakes.Orders.class)
	static class TwoMistakes {

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
