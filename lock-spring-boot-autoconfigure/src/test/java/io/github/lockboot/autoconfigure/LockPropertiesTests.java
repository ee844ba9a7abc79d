package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.Locale;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.validation.BindValidationException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.mock.env.MockEnvironment;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRelease;
import io.github.lockboot.OnLost;
import io.github.lockboot.annotation.OnNotAcquired;
import io.github.lockboot.aop.lock.LockedMethodDefaults;
import io.github.lockboot.autoconfigure.LockProperties.Validation;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Binding of the properties.
 */
class LockPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Bound.class);

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

	@ParameterizedTest
	@CsvSource({ "enabled, false", "backend, LOCAL", "key-prefix, shop:", "wait-time, PT7S", "lease-time, PT1M",
			"on-lost, THROW", "max-hold-time, PT1H", "retain-time, PT10S", "max-waiting, 100", "on-not-acquired, SKIP",
			"transaction.release, IMMEDIATE", "aspect.enabled, false", "aspect.order, 7", "aspect.validation, WARN",
			"redis.connection-factory, mine", "redis.command-timeout, PT0.2S", "shutdown.timeout, PT5S",
			"shutdown.release, false", "redis.min-replicas-acknowledged, 2", "redis.redlock.nodes, 'a:1,b:2,c:3'",
			"locks[my.lock].wait-time, PT0S", "locks[my.lock].lease-time, PT5S", "locks[my.lock].renew, false",
			"locks[my.lock].max-hold-time, PT1H", "locks[my.lock].retain-time, PT0S", "locks[my.lock].max-waiting, 7",
			"locks[my.lock].min-hold-time, PT2S", "locks[my.lock].on-not-acquired, SKIP",
			"locks[my.lock].on-lost, INTERRUPT", "locks[my.lock].permits, 4", "release, SENT",
			"locks[my.lock].release, CONFIRMED" })
	void propertyBinds(String name, String value) {
		this.runner.withPropertyValues("lock." + name + "=" + value.toLowerCase(Locale.ROOT))
			.run((context) -> assertThat(read(context.getBean(LockProperties.class), name)).asString()
				.isEqualToIgnoringCase(value));
	}

	private static @Nullable Object read(LockProperties properties, String name) {
		return switch (name) {
			case "enabled" -> properties.enabled();
			case "backend" -> properties.backend();
			case "key-prefix" -> properties.keyPrefix();
			case "wait-time" -> properties.waitTime();
			case "lease-time" -> properties.leaseTime();
			case "on-lost" -> properties.onLost();
			case "max-hold-time" -> properties.maxHoldTime();
			case "retain-time" -> properties.retainTime();
			case "max-waiting" -> properties.defaults().maxWaiting();
			case "on-not-acquired" -> properties.onNotAcquired();
			case "shutdown.timeout" -> properties.shutdown().timeout();
			case "shutdown.release" -> properties.shutdown().release();
			case "transaction.release" -> properties.transaction().release();
			case "locks[my.lock].renew" -> properties.defaults("my.lock").renew();
			case "locks[my.lock].max-hold-time" -> properties.defaults("my.lock").lock().maxHoldTime();
			case "locks[my.lock].retain-time" -> properties.defaults("my.lock").lock().retainTime();
			case "locks[my.lock].max-waiting" -> properties.defaults("my.lock").lock().maxWaiting();
			case "locks[my.lock].min-hold-time" -> properties.defaults("my.lock").minHoldTime();
			case "locks[my.lock].on-not-acquired" -> properties.defaults("my.lock").onNotAcquired();
			case "aspect.enabled" -> properties.aspect().enabled();
			case "aspect.order" -> properties.aspect().order();
			case "aspect.validation" -> properties.aspect().validation();
			case "redis.connection-factory" -> properties.redis().connectionFactory();
			case "redis.command-timeout" -> properties.redis().commandTimeout();
			case "redis.min-replicas-acknowledged" -> properties.redis().minReplicasAcknowledged();
			case "redis.redlock.nodes" -> String.join(",", properties.redis().redlock().nodes());
			case "locks[my.lock].wait-time" -> properties.defaults("my.lock").lock().waitTime();
			case "locks[my.lock].lease-time" -> properties.defaults("my.lock").lock().leaseTime();
			case "release" -> properties.defaults().release();
			case "locks[my.lock].release" -> properties.defaults("my.lock").lock().release();
			case "locks[my.lock].permits" ->
				String.valueOf(properties.defaults("my.lock").permits()).replaceAll("\\D", "");
			case "locks[my.lock].on-lost" -> properties.defaults("my.lock").lock().onLost();
			default -> throw new AssertionError(name);
		};
	}

	@Test
	void nameWithoutItsOwnValueHasTheGeneralOne() {
		this.runner
			.withPropertyValues("lock.wait-time=9s", "lock.on-lost=throw", "lock.release=sent",
					"lock.locks.orders.lease-time=5s")
			.run((context) -> assertThat(context.getBean(LockProperties.class).defaults("orders"))
				.isEqualTo(new LockedMethodDefaults(
						new LockDefaults(Duration.ofSeconds(9), Duration.ofSeconds(5), OnLost.THROW)
							.withRelease(LockRelease.SENT),
						false, true, null, null, OnNotAcquired.THROW)));
	}

	@Test
	void valueOfANameOverridesTheGeneralOne() {
		this.runner
			.withPropertyValues("lock.max-hold-time=1h", "lock.on-not-acquired=skip", "lock.release=sent",
					"lock.locks.orders.max-hold-time=2h", "lock.locks.orders.on-not-acquired=throw",
					"lock.locks.orders.release=confirmed")
			.run((context) -> {
				LockedMethodDefaults orders = context.getBean(LockProperties.class).defaults("orders");
				assertThat(orders.lock().maxHoldTime()).hasHours(2);
				assertThat(orders.onNotAcquired()).isEqualTo(OnNotAcquired.THROW);
				assertThat(orders.lock().release()).isEqualTo(LockRelease.CONFIRMED);
			});
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
				.hasMessageContaining("on field 'backend'")
				.hasMessageContaining("Add io.github.lockboot:lock-spring-boot-starter-" + backend)
				.hasMessageContaining("local, redis"));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties(LockProperties.class)
	static class Bound {

	}

}
