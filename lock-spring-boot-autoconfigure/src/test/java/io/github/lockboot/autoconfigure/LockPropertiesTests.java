package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.RecordingLockOperations;
import io.github.lockboot.annotation.DistributedSemaphore;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.aop.lock.LockedMethodDefaults;
import io.github.lockboot.autoconfigure.LockProperties.Validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Binding of the properties, and settings of one name: permits, which may change while
 * the application runs, and those in environment variables.
 */
@ExtendWith(OutputCaptureExtension.class)
class LockPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Bound.class);

	private final RecordingLockOperations locks = new RecordingLockOperations();

	private final ApplicationContextRunner named = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DistributedLockAutoConfiguration.class))
		.withBean(LockOperations.class, () -> this.locks)
		.withBean(Calls.class)
		.withPropertyValues("lock.locks.end-of-day.permits=2", "lock.locks[mail.server].permits=3", "shop.limit=4");

	@Test
	void othersSeeTheNameOfTheApplicationUnlessItHidesItsIdentity() {
		MockEnvironment environment = new MockEnvironment().withProperty("spring.application.name", "shop");
		this.runner
			.run((context) -> assertThat(context.getBean(LockProperties.class).defaults(environment).application())
				.isEqualTo("shop"));
		this.runner.withPropertyValues("lock.identity=off")
			.run((context) -> assertThat(context.getBean(LockProperties.class).defaults(environment).application())
				.isNull());
	}

	@Test
	void defaultsAreThoseOfTheApi() {
		this.runner.run((context) -> {
			LockProperties properties = context.getBean(LockProperties.class);
			assertThat(properties.defaults()).isEqualTo(LockDefaults.defaults());
			assertThat(properties.keyPrefix()).isEqualTo("lock:");
			assertThat(properties.backend()).isEqualTo("redis");
			assertThat(properties.redis().commandTimeout()).isEqualTo(Duration.ofSeconds(1));
			assertThat(properties.aspect().validation()).isEqualTo(Validation.FAIL);
		});
	}

	@Test
	void nameWithoutItsOwnValueHasTheGeneralOne() {
		this.runner
			.withPropertyValues("lock.wait-time=9s", "lock.lease-time=1m", "lock.on-lost=throw",
					"lock.max-hold-time=1h", "lock.retain-time=10s", "lock.max-waiting=100",
					"lock.on-not-acquired=skip", "lock.release=sent", "lock.locks.orders.lease-time=5s")
			.run((context) -> assertThat(context.getBean(LockProperties.class).defaults("orders"))
				.isEqualTo(new LockedMethodDefaults(
						new LockDefaults(Duration.ofSeconds(9), Duration.ofSeconds(5), OnLost.THROW)
							.withMaxHoldTime(Duration.ofHours(1))
							.withRetainTime(Duration.ofSeconds(10))
							.withMaxWaiting(100)
							.withRelease(LockRelease.SENT),
						false, true, null, null, OnNotAcquired.SKIP)));
	}

	@Test
	void valueOfANameOverridesTheGeneralOne() {
		Stream<String> own = Stream.of("wait-time=0", "lease-time=5s", "renew=false", "max-hold-time=2h",
				"retain-time=0", "max-waiting=7", "min-hold-time=2s", "on-not-acquired=throw", "on-lost=interrupt",
				"permits=4", "release=confirmed");
		this.runner
			.withPropertyValues("lock.max-hold-time=1h", "lock.on-not-acquired=skip", "lock.on-lost=throw",
					"lock.retain-time=10s", "lock.max-waiting=100", "lock.release=sent")
			.withPropertyValues(own.map((property) -> "lock.locks[my.lock]." + property).toArray(String[]::new))
			.run((context) -> assertThat(context.getBean(LockProperties.class).defaults("my.lock"))
				.isEqualTo(new LockedMethodDefaults(
						new LockDefaults(Duration.ZERO, Duration.ofSeconds(5), OnLost.INTERRUPT)
							.withMaxHoldTime(Duration.ofHours(2))
							.withRetainTime(Duration.ZERO)
							.withMaxWaiting(7)
							.withRelease(LockRelease.CONFIRMED),
						false, false, Duration.ofSeconds(2), "${lock.locks[my.lock].permits:4}", OnNotAcquired.THROW)));
	}

	@ParameterizedTest
	@CsvSource({ "lock.wait-time, -1s, wait-time", "lock.lease-time, 0, lease-time", "lock.lease-time, -1s, lease-time",
			"lock.lease-time, 9999d, lease-time", "lock.key-prefix, ' ', key-prefix", "lock.key-prefix, '', key-prefix",
			"lock.key-prefix, a{, key-prefix", "lock.key-prefix, a}, key-prefix",
			"lock.redis.command-timeout, 0, redis.command-timeout", "lock.max-hold-time, 1ms, max-hold-time",
			"lock.locks.orders.max-hold-time, 1ms, locks[orders].max-hold-time",
			"lock.locks.orders.min-hold-time, -1s, locks[orders].min-hold-time", "lock.retain-time, -1s, retain-time",
			"lock.locks.orders.retain-time, -1s, locks[orders].retain-time", "lock.max-waiting, -1, max-waiting",
			"lock.locks.orders.max-waiting, -1, locks[orders].max-waiting",
			"lock.locks.orders.permits, 0, locks[orders].permits",
			"lock.redis.command-timeout, -1s, redis.command-timeout",
			"lock.redis.min-replicas-acknowledged, -1, redis.min-replicas-acknowledged",
			"lock.redis.redlock.nodes, 'a:1,b:1', redis.redlock.nodes",
			"lock.redis.redlock.nodes, 'a:1,b:1,a:1', redis.redlock.nodes",
			"lock.redis.redlock.nodes, 'a,b,c', redis.redlock.nodes",
			"lock.locks.orders.wait-time, -1s, locks[orders].wait-time",
			"lock.locks[a.b].lease-time, 1ms, locks[a.b].lease-time" })
	void invalidValueStopsTheStartAndNamesItsProperty(String property, String value, String field) {
		this.runner.withPropertyValues(property + "=" + value).run((context) -> {
			assertThat(context).hasFailed();
			assertThat(context.getStartupFailure()).rootCause().isInstanceOf(BindValidationException.class);
			assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("on field '" + field + "'");
		});
	}

	@ParameterizedTest
	@CsvSource({ "lock.retain-time, lock.redis.foreign-clients=true",
			"lock.locks.orders.retain-time, " + "'lock.redis.redlock.nodes=a:1,b:1,c:1'" })
	void locksForWhichWaitersPollCantBeRetained(String property, String polling) {
		this.runner.withPropertyValues(property + "=1s", polling)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("Locks can't be retained if waiters poll"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "wait-time", "lease-time", "max-hold-time", "locks.orders.min-hold-time",
			"shutdown.timeout", "redis.command-timeout" })
	void invalidTimeIsReportedAsWritten(String property) {
		this.runner.withPropertyValues("lock." + property + "=-1s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining(" is -1s]")
				.hasMessageNotContaining(" is PT"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc", "zookeeper" })
	void backendWithoutItsArtifactStopsTheStartAndNamesTheStarter(String backend) {
		this.runner.withPropertyValues("lock.backend=" + backend)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContainingAll("on field 'backend'",
						"Add io.github.lockboot:lock-spring-boot-starter-" + backend, "local, redis"));
	}

	@Test
	void aNewValueAppliesFromTheNextCallOn() {
		this.named.run((context) -> {
			callAll(context.getBean(Calls.class));
			TestPropertyValues
				.of("lock.locks.end-of-day.permits=5", "lock.locks[mail.server].permits=6", "shop.limit=7")
				.applyTo(context);
			callAll(context.getBean(Calls.class));
			assertThat(this.locks.requests()).extracting(LockRequest::permits).containsExactly(2, 3, 4, 5, 6, 7);
		});
	}

	@Test
	void aNumberThatNoSemaphoreReachesIsNoSharedLock() {
		this.named.withPropertyValues("shop.limit=9999999999").run((context) -> {
			context.getBean(Calls.class).sell();
			assertThat(this.locks.request().permits()).isEqualTo(Integer.MAX_VALUE - 1);
		});
	}

	@Test
	void aVariableOfTheEnvironmentOverridesThem() {
		withVariable("LOCK_LOCKS_ENDOFDAY_PERMITS", "8").run((context) -> {
			context.getBean(Calls.class).endOfDay();
			assertThat(this.locks.request().permits()).isEqualTo(8);
		});
	}

	@Test
	void aNewValueBelowOneFailsTheCallsAndNamesItsProperty() {
		this.named.run((context) -> {
			TestPropertyValues.of("lock.locks.end-of-day.permits=0").applyTo(context);
			assertThatExceptionOfType(LockKeyException.class).isThrownBy(context.getBean(Calls.class)::endOfDay)
				.withMessageStartingWith("Permits '${lock.locks.end-of-day.permits:2}' of ")
				.withMessageEndingWith("are '0', but must be a whole number of at least 1");
			assertThat(this.locks.requests()).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "end-of-day", "endOfDay", "end.of.day", "endofday" })
	void variablesAreFoundUnderTheNameOfTheAnnotation(String name) {
		withVariable("LOCK_LOCKS_ENDOFDAY_WAITTIME", "7s").run((context) -> {
			LockProperties properties = context.getBean(LockProperties.class);
			assertThat(properties.defaults(name).lock().waitTime()).isEqualTo(Duration.ofSeconds(7));
		});
	}

	@Test
	void variablesAreNotUsedForAnotherName() {
		withVariable("LOCK_LOCKS_ENDOFDAY_WAITTIME", "7s").run((
				context) -> assertThat(context.getBean(LockProperties.class).defaults("end-of-month").lock().waitTime())
					.isEqualTo(Duration.ofSeconds(3)));
	}

	@Test
	void variablesOverrideAFileAndKeepItsOtherValues(CapturedOutput output) {
		withVariable("LOCK_LOCKS_ENDOFDAY_WAITTIME", "7s")
			.withPropertyValues("lock.locks.end-of-day.wait-time=1s", "lock.locks.end-of-day.lease-time=20s")
			.run((context) -> {
				LockProperties properties = context.getBean(LockProperties.class);
				assertThat(properties.defaults("end-of-day").lock().waitTime()).isEqualTo(Duration.ofSeconds(7));
				assertThat(properties.defaults("end-of-day").lock().leaseTime()).isEqualTo(Duration.ofSeconds(20));
				assertThat(output).doesNotContain("Settings under lock.locks are not used");
			});
	}

	private ApplicationContextRunner withVariable(String name, String value) {
		return this.named.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", Map.of(name, value))));
	}

	private static void callAll(Calls calls) {
		calls.endOfDay();
		calls.mail();
		calls.sell();
	}

	static class Calls {

		@DistributedSemaphore(name = "end-of-day")
		public void endOfDay() {
		}

		@DistributedSemaphore(name = "mail.server")
		public void mail() {
		}

		@DistributedSemaphore(name = "shop", permits = "${shop.limit}")
		public void sell() {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(LockProperties.class)
	static class Bound {

	}

}
