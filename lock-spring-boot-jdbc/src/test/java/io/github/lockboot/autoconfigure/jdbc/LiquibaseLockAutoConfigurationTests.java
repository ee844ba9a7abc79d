package io.github.lockboot.autoconfigure.jdbc;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import liquibase.Liquibase;
import liquibase.integration.spring.Customizer;
import liquibase.integration.spring.SpringLiquibase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.liquibase.autoconfigure.LiquibaseAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.jdbc.JdbcLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

/**
 * The lock of Liquibase, as an application configures it.
 */
class LiquibaseLockAutoConfigurationTests {

	private static int databases;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, LiquibaseAutoConfiguration.class,
				JdbcLockAutoConfiguration.class, LiquibaseLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=jdbc", "lock.jdbc.liquibase=true",
				"spring.datasource.url=jdbc:h2:mem:liquibase" + databases++ + ";DB_CLOSE_DELAY=-1",
				"spring.liquibase.analytics-enabled=false", "spring.liquibase.parameters.schema=none",
				"spring.liquibase.change-log=classpath:io/github/lockboot/autoconfigure/jdbc/changelog.xml");

	@Test
	void aMigrationHasALeaseInATableOfItsOwnBeforeTheTablesOfTheLocksExist() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(JdbcLockTemplate.class);
			assertThat(tables(context)).contains("STEPS", "DATABASECHANGELOGLOCK_LEASE", "DISTRIBUTED_LOCK");
		});
	}

	@Test
	void anotherBackendChangesNothing() {
		this.runner.withPropertyValues("lock.backend=local")
			.run((context) -> assertThat(tables(context)).contains("STEPS", "DATABASECHANGELOGLOCK_LEASE"));
	}

	@ParameterizedTest
	@CsvSource({ "lock.jdbc.liquibase, false", "lock.enabled, false" })
	void withoutThePropertyOrLocksLiquibaseLocksByItself(String property, String value) {
		this.runner.withPropertyValues(property + "=" + value)
			.run((context) -> assertThat(tables(context)).contains("STEPS")
				.doesNotContain("DATABASECHANGELOGLOCK_LEASE"));
	}

	@Test
	void withoutLiquibaseThePropertyHasNoEffect() {
		this.runner.withClassLoader(new FilteredClassLoader(SpringLiquibase.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(MigrationLocks.class));
	}

	@Test
	void anEarlierVersionOfLiquibaseIsRefusedWithTheCure() {
		this.runner.withClassLoader(new FilteredClassLoader(Customizer.class))
			.run((context) -> assertRefused(context, "needs a later version of Liquibase", "liquibase.version"));
	}

	@Test
	void aCustomizerOfTheApplicationIsCalledToo() {
		this.runner.withUserConfiguration(Customized.class).run((context) -> {
			assertThat(context.getBean(AtomicInteger.class)).hasValue(1);
			assertThat(tables(context)).contains("DATABASECHANGELOGLOCK_LEASE");
		});
	}

	@Test
	void aDataSourceThatDoesNotShowItsUrlIsRefused() {
		this.runner.withPropertyValues("lock.backend=local")
			.withBean(DataSource.class, () -> new JdbcLockAutoConfigurationTests.Tenants(h2(), h2()))
			.run((context) -> assertRefused(context, "does not show how to open them", "spring.liquibase.url"));
	}

	@Test
	void aSchemaWhoseNameNeedsQuotesIsRefused() {
		this.runner
			.withPropertyValues(
					"spring.datasource.url=jdbc:h2:mem:liquibase" + databases++
							+ ";DB_CLOSE_DELAY=-1;INIT=CREATE SCHEMA IF NOT EXISTS \"MY-APP\"",
					"spring.liquibase.liquibase-schema=MY-APP")
			.run((context) -> assertRefused(context, "'MY-APP.DATABASECHANGELOGLOCK_lease' can't be the name",
					"whose name needs no quotes"));
	}

	private static void assertRefused(AssertableApplicationContext context, String message, String action) {
		assertThat(context.getStartupFailure()).rootCause()
			.hasMessageContaining(message)
			.asInstanceOf(type(LockSetupException.class))
			.extracting(LockSetupException::action)
			.asString()
			.contains(action);
	}

	private static DataSource h2() {
		return new DriverManagerDataSource("jdbc:h2:mem:liquibase" + databases++ + ";DB_CLOSE_DELAY=-1");
	}

	private static List<String> tables(ApplicationContext context) {
		return new JdbcTemplate(context.getBean(DataSource.class))
			.queryForList("SELECT table_name FROM information_schema.tables", String.class)
			.stream()
			.map(String::valueOf)
			.toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class Customized {

		@Bean
		AtomicInteger calls() {
			return new AtomicInteger();
		}

		@Bean
		Customizer<Liquibase> customizer(AtomicInteger calls) {
			return (liquibase) -> calls.incrementAndGet();
		}

	}

}
