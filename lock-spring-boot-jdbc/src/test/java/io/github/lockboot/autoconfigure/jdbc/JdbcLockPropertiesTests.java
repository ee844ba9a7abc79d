package io.github.lockboot.autoconfigure.jdbc;

import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.RegisteredHints;
import io.github.lockboot.autoconfigure.store.LockBackends;
import io.github.lockboot.jdbc.JdbcLockSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Properties of locks in a database, and what other parts know of this store.
 */
class JdbcLockPropertiesTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Bound.class)
		.withPropertyValues("lock.backend=jdbc");

	@Test
	void theStrategyBinds() {
		this.runner.withPropertyValues("lock.jdbc.strategy=pessimistic")
			.run((context) -> assertThat(context.getBean(JdbcLockProperties.class).strategy())
				.isEqualTo(JdbcLockSettings.Strategy.PESSIMISTIC));
	}

	@ParameterizedTest
	@CsvSource({ "lock.retain-time, retain-time", "lock.locks.orders.retain-time, locks[orders].retain-time" })
	void locksForWhichWaitersPollCantBeRetained(String property, String field) {
		this.runner.withPropertyValues(property + "=1s")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContainingAll("on field '" + field + "'", "Locks can't be retained if waiters poll"));
	}

	@ParameterizedTest
	@CsvSource({ "'redlock.nodes=a:1,b:1,c:1', redlock.nodes", "min-replicas-acknowledged=1, min-replicas-acknowledged",
			"foreign-clients=true, foreign-clients", "startup=retry, startup" })
	void promisesOfRedisStopTheStartWithADatabase(String property, String field) {
		this.runner.withPropertyValues("lock.redis." + property)
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContainingAll("on field 'redis." + field + "'", "lock.backend=jdbc"));
	}

	@Test
	void itsOwnTimeConfirmsReleases() {
		Binder binder = new Binder(new MapConfigurationPropertySource(Map.of("lock.jdbc.statement-timeout", "7ms")));
		assertThat(new JdbcLockBackend().get().replyTimeout().apply(binder)).isEqualTo(Duration.ofMillis(7));
	}

	@Test
	void failuresOfAnotherStoreNameTheDatabase() {
		assertThat(LockBackends.hints()).contains("set lock.backend=jdbc");
	}

	@Test
	void scriptsAreInANativeImage() {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/lockboot/jdbc/schema-h2.sql"))
			.accepts(RegisteredHints.ofLibrary());
	}

	@Configuration(proxyBeanMethods = false)
	@EnableConfigurationProperties({ LockProperties.class, JdbcLockProperties.class })
	static class Bound {

	}

}
