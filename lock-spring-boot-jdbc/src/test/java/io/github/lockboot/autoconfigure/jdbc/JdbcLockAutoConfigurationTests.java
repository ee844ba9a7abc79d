package io.github.lockboot.autoconfigure.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.util.Credentials;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.jdbc.JdbcLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * Locks in a database, as an application configures them.
 */
class JdbcLockAutoConfigurationTests {

	private static int databases;

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, JdbcLockAutoConfiguration.class))
		.withPropertyValues("lock.backend=jdbc",
				"spring.datasource.url=jdbc:h2:mem:app" + databases++ + ";DB_CLOSE_DELAY=-1");

	@Test
	void theBackendMakesATemplateAndItsTablesInAnEmbeddedDatabase() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(JdbcLockTemplate.class);
			assertThat(context.getBean(LockOperations.class).tryExecute(LockRequest.of("order"), () -> {
			})).isTrue();
		});
	}

	@Test
	void aValueThatIsInvalidForAnotherStoreDoesNotStopTheStart() {
		this.runner.withPropertyValues("lock.redis.command-timeout=-1s")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void anotherBackendMakesNone() {
		this.runner.withPropertyValues("lock.backend=local")
			.run((context) -> assertThat(context).doesNotHaveBean(LockOperations.class));
	}

	@Test
	void aTemplateOfTheApplicationComesFirst() {
		this.runner.withBean("own", LockOperations.class, () -> Mockito.mock(LockOperations.class))
			.run((context) -> assertThat(context).hasSingleBean(LockOperations.class).hasBean("own"));
	}

	@Test
	void anExhaustedPoolOfTheApplicationStopsNoRenewal() {
		this.runner.withPropertyValues("spring.datasource.hikari.maximum-pool-size=2").run((context) -> {
			HikariDataSource pool = context.getBean(HikariDataSource.class);
			LockOperations locks = context.getBean(LockOperations.class);
			List<Connection> all = new ArrayList<>();
			all.add(pool.getConnection());
			all.add(pool.getConnection());
			try (LockHandle lock = locks.acquire(LockRequest.of("order").leaseTime(Duration.ofMillis(600)))) {
				Awaitility.await().during(Duration.ofMillis(1500)).atMost(Duration.ofSeconds(20)).until(lock::isHeld);
			}
			for (Connection connection : all) {
				connection.close();
			}
		});
	}

	@Test
	void aCustomizerChangesTheConnectionsOfTheLocksOnly() {
		this.runner
			.withBean(JdbcLockDataSourceCustomizer.class,
					() -> (dataSource) -> dataSource
						.setUrl(dataSource.getUrl() + ";INIT=CREATE SCHEMA IF NOT EXISTS LOCKS\\;SET SCHEMA LOCKS"))
			.run((context) -> {
				JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
				context.getBean(LockOperations.class)
					.execute("order", () -> assertThat(tables(jdbc)).containsOnly("LOCKS"));
				assertThat(jdbc.queryForObject("SELECT SCHEMA()", String.class)).isEqualTo("PUBLIC");
			});
	}

	private static List<String> tables(JdbcTemplate jdbc) {
		return jdbc.queryForList(
				"SELECT table_schema FROM information_schema.tables WHERE LOWER(table_name) = 'distributed_lock'",
				String.class);
	}

	@Test
	void locksAreInTheDatabaseOfTheConnectionDetails() {
		String url = "jdbc:h2:mem:details" + databases++ + ";DB_CLOSE_DELAY=-1";
		this.runner.withPropertyValues("spring.datasource.url=jdbc:h2:tcp://no-such-host.invalid/app")
			.withBean(JdbcConnectionDetails.class, () -> new Details(url))
			.run((context) -> {
				JdbcTemplate jdbc = new JdbcTemplate(new DriverManagerDataSource(url, "sa", ""));
				context.getBean(LockOperations.class)
					.execute("order", () -> assertThat(tables(jdbc)).containsOnly("PUBLIC"));
			});
	}

	@ParameterizedTest
	@CsvSource({ "auto, true", "'', true", "off, false", "false, false" })
	void aTransactionOfAHolderThatWasOvertakenDoesNotCommitUnlessThatIsOff(String fence, boolean fails) {
		this.runner.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class))
			.withPropertyValues("lock.jdbc.commit-fence=" + fence)
			.run((context) -> {
				TransactionTemplate transaction = new TransactionTemplate(
						context.getBean(PlatformTransactionManager.class));
				JdbcTemplate jdbc = new JdbcTemplate(context.getBean(DataSource.class));
				Throwable failure = catchThrowable(() -> context.getBean(LockOperations.class)
					.execute("order", () -> transaction.executeWithoutResult(
							(status) -> jdbc.update("UPDATE distributed_lock SET owner = 'another'"))));
				assertThat(failure instanceof LockLostException).isEqualTo(fails);
			});
	}

	@Test
	void aUserOfTheApplicationWithoutRightsToTheLocksStopsTheStartUnlessTheFenceIsOff() {
		String url = "jdbc:h2:mem:app" + databases++;
		DriverManagerDataSource administrator = new DriverManagerDataSource(url + ";DB_CLOSE_DELAY=-1", "sa", "");
		new JdbcTemplate(administrator).execute("CREATE USER shop PASSWORD ''");
		ApplicationContextRunner shop = this.runner
			.withConfiguration(AutoConfigurations.of(DataSourceTransactionManagerAutoConfiguration.class))
			.withPropertyValues("spring.datasource.url=" + url, "spring.datasource.username=shop",
					"lock.jdbc.initialize-schema=always", "lock.jdbc.data-source=lockDataSource")
			.withBean("lockDataSource", DataSource.class, () -> administrator,
					(definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false));
		shop.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
			.hasMessageContaining("GRANT SELECT, UPDATE ON \"PUBLIC\".distributed_lock TO SHOP")
			.satisfies((failure) -> assertThat(failure.action()).contains("lock.jdbc.commit-fence=off")));
		shop.withPropertyValues("lock.jdbc.commit-fence=off").run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void aDataSourceThatCannotConnectIsNoReasonNotToStart() {
		this.runner
			.withBean("other", PlatformTransactionManager.class,
					() -> new DataSourceTransactionManager(
							new DriverManagerDataSource("jdbc:postgresql://127.0.0.1:1/x")))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void locksAreOutsideOfTheCallersTransactionWhateverWrapsTheDataSource() {
		List<UnaryOperator<DataSource>> wrappers = List.of(LazyConnectionDataSourceProxy::new,
				TransactionAwareDataSourceProxy::new);
		for (UnaryOperator<DataSource> wrapper : wrappers) {
			DataSource wrapped = wrapper.apply(h2());
			for (String named : List.of("", "wrapped")) {
				this.runner.withBean("wrapped", DataSource.class, () -> wrapped)
					.withPropertyValues("lock.jdbc.initialize-schema=always", "lock.jdbc.data-source=" + named)
					.run((context) -> assertThat(isHeldAfterRollback(wrapped, context.getBean(LockOperations.class)))
						.as("%s, named '%s'", wrapped, named)
						.isTrue());
			}
		}
	}

	private static boolean isHeldAfterRollback(DataSource dataSource, LockOperations locks) {
		TransactionTemplate transaction = new TransactionTemplate(new DataSourceTransactionManager(dataSource));
		LockHandle lock = transaction.execute((status) -> {
			status.setRollbackOnly();
			return locks.acquire(LockRequest.of("order"));
		});
		try (lock) {
			return locks.inspect("order").isHeld();
		}
	}

	@Test
	void aDataSourceThatRoutesHasToBeNamedAndIgnoresTheTenantOfACaller() {
		DataSource plain = h2();
		Tenants tenants = new Tenants(plain, h2());
		ApplicationContextRunner runner = this.runner.withBean("tenants", DataSource.class, () -> tenants)
			.withPropertyValues("lock.jdbc.initialize-schema=always");
		runner.run((context) -> assertThat(setupFailure(context.getStartupFailure()).action())
			.contains("name it in lock.jdbc.data-source"));
		runner.withPropertyValues("lock.jdbc.data-source=tenants").run((context) -> {
			tenants.current.set("other");
			context.getBean(LockOperations.class)
				.execute("order", () -> assertThat(
						new JdbcTemplate(plain).queryForList("SELECT state FROM distributed_lock", String.class))
					.containsExactly("HELD"));
			tenants.current.remove();
		});
	}

	private static DataSource h2() {
		return new DriverManagerDataSource("jdbc:h2:mem:app" + databases++ + ";DB_CLOSE_DELAY=-1");
	}

	@Test
	void aMissingTableIsReportedWithTheCure() {
		this.runner.withPropertyValues("lock.jdbc.initialize-schema=never", "lock.jdbc.table=absent")
			.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
				.satisfies((failure) -> assertThat(failure).hasMessageContaining("'absent', can't be used"))
				.satisfies((failure) -> assertThat(failure.action()).contains("lock.jdbc.initialize-schema=always")));
	}

	@Test
	void anotherFailureOfTheDatabaseDoesNotAdviseToCreateTheTables() {
		this.runner.withPropertyValues("lock.jdbc.data-source=refused")
			.withBean("refused", DataSource.class,
					() -> new DriverManagerDataSource("jdbc:h2:mem:absent;IFEXISTS=TRUE"))
			.run((context) -> assertThat(setupFailure(context.getStartupFailure()).action())
				.startsWith("Start the database, or correct spring.datasource. To lock"));
	}

	@Test
	void tablesAreCreatedInAnyDatabaseIfThatIsWanted() {
		this.runner.withPropertyValues("lock.jdbc.initialize-schema=always", "lock.jdbc.table=my_locks")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(new JdbcTemplate(context.getBean(DataSource.class)).queryForList("SELECT * FROM my_locks"))
					.isEmpty();
			});
	}

	@Test
	void theTablesOfAMigrationAreCheckedAfterIt() {
		this.runner.withConfiguration(AutoConfigurations.of(DataSourceInitializationAutoConfiguration.class))
			.withPropertyValues("lock.jdbc.initialize-schema=never", "spring.sql.init.mode=always",
					"spring.sql.init.schema-locations=classpath:io/github/lockboot/jdbc/schema-h2.sql")
			.run((context) -> assertThat(context).hasSingleBean(JdbcLockTemplate.class));
	}

	@Test
	void aMissingDataSourceIsReported() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(JdbcLockAutoConfiguration.class))
			.withPropertyValues("lock.backend=jdbc")
			.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
				.hasMessageContaining("need a DataSource bean, but there is none"));
	}

	@Test
	void oneOfSeveralDataSourcesIsNamed() {
		ApplicationContextRunner both = this.runner
			.withBean("first", DataSource.class, JdbcLockAutoConfigurationTests::h2)
			.withBean("second", DataSource.class, JdbcLockAutoConfigurationTests::h2);
		both.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
			.hasMessageContaining("several such beans and none is primary: first, second"));
		both.withPropertyValues("lock.jdbc.data-source=second", "lock.jdbc.initialize-schema=always")
			.run((context) -> assertThat(context).hasSingleBean(JdbcLockTemplate.class));
		both.withPropertyValues("lock.jdbc.data-source=third")
			.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
				.hasMessageContaining("lock.jdbc.data-source names 'third', which is not a DataSource bean"));
	}

	@Test
	void aDataSourceThatDoesNotShowItsUrlIsRefused() {
		this.runner.withBean(DataSource.class, () -> Mockito.mock(DataSource.class))
			.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
				.hasMessageContaining("does not show how to open them")
				.satisfies((failure) -> assertThat(failure.action()).contains("lock.jdbc.data-source")));
	}

	@Test
	void newConnectionsHaveThePasswordOfTheApplicationsPoolThatWasRotated() {
		this.runner.run((context) -> {
			HikariDataSource pool = context.getBean(HikariDataSource.class);
			new JdbcTemplate(pool).execute("ALTER USER SA SET PASSWORD 'rotated'");
			pool.getHikariConfigMXBean().setPassword("rotated");
			assertThatNewConnectionsLock(context);
		});
	}

	@Test
	void newConnectionsHaveThePasswordThatAProviderOfThePoolKnowsNow() {
		AtomicReference<String> password = new AtomicReference<>("");
		HikariDataSource pool = new HikariDataSource();
		pool.setJdbcUrl("jdbc:h2:mem:app" + databases++ + ";DB_CLOSE_DELAY=-1");
		pool.setCredentialsProvider(() -> Credentials.of("SA", password.get()));
		this.runner.withBean(DataSource.class, () -> pool)
			.withPropertyValues("lock.jdbc.initialize-schema=always")
			.run((context) -> {
				new JdbcTemplate(pool).execute("ALTER USER SA SET PASSWORD 'rotated'");
				password.set("rotated");
				assertThatNewConnectionsLock(context);
			});
	}

	private static void assertThatNewConnectionsLock(ApplicationContext context) {
		new JdbcTemplate(context.getBean(DataSource.class))
			.queryForList("SELECT ABORT_SESSION(session_id) FROM information_schema.sessions"
					+ " WHERE session_id <> SESSION_ID()");
		Awaitility.await()
			.ignoreExceptions()
			.until(() -> context.getBean(LockOperations.class)
				.tryExecute(LockRequest.of("order").waitTime(Duration.ZERO), () -> {
				}));
	}

	@Test
	void aDataSourceOfADriverIsRefusedWithTheCure() {
		HikariDataSource pool = new HikariDataSource();
		pool.setDataSourceClassName("org.h2.jdbcx.JdbcDataSource");
		this.runner.withBean(DataSource.class, () -> pool)
			.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
				.hasMessageContaining("it has no JDBC URL, as with a dataSourceClassName")
				.satisfies((failure) -> assertThat(failure.action()).contains("lock.jdbc.data-source")));
	}

	@Test
	void aDriverThatSpringBootDoesNotKnowConnectsToo() throws SQLException {
		UnknownDriver driver = new UnknownDriver();
		DriverManager.registerDriver(driver);
		try {
			this.runner
				.withBean("other", DataSource.class,
						() -> new DriverManagerDataSource("jdbc:unknown:h2:mem:unknown;DB_CLOSE_DELAY=-1"))
				.withPropertyValues("lock.jdbc.initialize-schema=always")
				.run((context) -> assertThat(context).hasSingleBean(JdbcLockTemplate.class));
		}
		finally {
			DriverManager.deregisterDriver(driver);
		}
	}

	@Test
	void aDatabaseThatCannotBeReachedIsReported() {
		this.runner
			.withPropertyValues("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none",
					"spring.datasource.hikari.initialization-fail-timeout=-1")
			.run((context) -> assertThat(setupFailure(context.getStartupFailure()))
				.hasMessageContaining("The database of the locks can't be reached"));
	}

	@ParameterizedTest
	@CsvSource({ "jdbc:postgresql://db/shop, 10, 10, lock-spring-boot",
			"jdbc:postgresql://db/shop?ApplicationName=shop, 10, 10, ",
			"jdbc:mariadb://db/shop, 10000, 10000, program_name:lock-spring-boot",
			"jdbc:mysql://db/shop?socketTimeout=7, 10000, , program_name:lock-spring-boot", "jdbc:h2:mem:x, , , " })
	void connectionsHaveANameAndNeverWaitForAServerWithoutAnEnd(String url, @Nullable String connect,
			@Nullable String socket, @Nullable String name) {
		this.runner
			.withPropertyValues("spring.datasource.url=" + url,
					"spring.datasource.hikari.initialization-fail-timeout=-1",
					"spring.datasource.driver-class-name=" + RecordingDriver.class.getName())
			.run((context) -> assertThat(setupFailure(context.getStartupFailure())).hasMessageContaining(
					"connectTimeout=" + connect + ", socketTimeout=" + socket + ", name=" + name + ")"));
	}

	@Test
	void invalidPropertiesAreNamed() {
		this.runner.withPropertyValues("lock.jdbc.table=a;b")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("can't be the name of the table of locks"));
	}

	private static LockSetupException setupFailure(@Nullable Throwable failure) {
		Throwable cause = failure;
		while (cause != null && !(cause instanceof LockSetupException)) {
			cause = cause.getCause();
		}
		assertThat(cause).isInstanceOf(LockSetupException.class);
		return (LockSetupException) Objects.requireNonNull(cause);
	}

	/** Wraps another driver, as some do that collect statistics. */
	private static final class UnknownDriver extends RecordingDriver {

		@Override
		public @Nullable Connection connect(String url, Properties info) throws SQLException {
			return acceptsURL(url) ? DriverManager.getConnection(url.replace(":unknown:", ":"), info) : null;
		}

		@Override
		public boolean acceptsURL(String url) {
			return url.startsWith("jdbc:unknown:");
		}

	}

	/** Refuses connections, and says how they were requested. */
	public static class RecordingDriver extends org.h2.Driver {

		@Override
		public @Nullable Connection connect(String url, Properties info) throws SQLException {
			throw new SQLException("(connectTimeout=" + info.getProperty("connectTimeout") + ", socketTimeout="
					+ info.getProperty("socketTimeout") + ", name="
					+ info.getProperty("ApplicationName", info.getProperty("connectionAttributes")) + ")");
		}

		@Override
		public boolean acceptsURL(String url) {
			return true;
		}

	}

	/** Chooses a database by what a thread has set. */
	static class Tenants extends AbstractRoutingDataSource {

		final ThreadLocal<String> current = new ThreadLocal<>();

		Tenants(DataSource byDefault, DataSource other) {
			setTargetDataSources(Map.of("other", other));
			setDefaultTargetDataSource(byDefault);
			afterPropertiesSet();
		}

		@Override
		protected @Nullable Object determineCurrentLookupKey() {
			return this.current.get();
		}

	}

	/** What {@code @ServiceConnection} defines, without a container. */
	private record Details(String url) implements JdbcConnectionDetails {

		@Override
		public String getUsername() {
			return "sa";
		}

		@Override
		public String getPassword() {
			return "";
		}

		@Override
		public String getJdbcUrl() {
			return this.url;
		}

	}

}
