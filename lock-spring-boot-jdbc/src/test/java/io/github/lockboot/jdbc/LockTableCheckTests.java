package io.github.lockboot.jdbc;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import javax.sql.DataSource;

import org.assertj.core.api.ThrowableAssertAlternative;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.AdditionalAnswers;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Databases that can't keep locks, and what the application says at its start. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class LockTableCheckTests {

	private static final JdbcLockSettings SETTINGS = JdbcLockSettings.defaults().withCreateTables(true);

	@ParameterizedTest
	@CsvSource({ "MARIADB, 'SELECT', 'SELECT', INSERT",
			"MARIADB, 'SELECT, INSERT, UPDATE', 'SELECT, INSERT, UPDATE', DELETE",
			"MARIADB, 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, INSERT, DELETE', UPDATE",
			"POSTGRESQL, 'SELECT', 'SELECT', INSERT", "POSTGRESQL, 'SELECT, INSERT', 'SELECT, INSERT', UPDATE",
			"POSTGRESQL, 'SELECT, INSERT, UPDATE', 'SELECT, INSERT, UPDATE', DELETE",
			"POSTGRESQL, 'SELECT, INSERT, UPDATE, DELETE', 'SELECT, INSERT, DELETE', UPDATE" })
	void aMissingRightIsNamed(TestDatabase database, String granted, String grantedToHolders, String missing) {
		DatabaseServer server = database.server();
		// everybody may write to the first schema of MariaDB
		server.execute("CREATE SCHEMA IF NOT EXISTS rights");
		JdbcLockSettings settings = SETTINGS.withTable("rights.distributed_lock");
		new LockTableCheck(database.dataSource(), settings).run();
		String user = "user" + UUID.randomUUID().toString().substring(0, 8);
		server.execute("CREATE USER " + user, "GRANT " + granted + " ON rights.distributed_lock TO " + user,
				"GRANT " + grantedToHolders + " ON rights.distributed_lock_holder TO " + user);
		if (database == TestDatabase.POSTGRESQL) {
			server.execute("GRANT USAGE ON SCHEMA rights TO " + user);
		}
		DataSource dataSource = new DriverManagerDataSource(server.url("127.0.0.1:" + server.port()), user, "");
		assertThatRefused(dataSource, settings.withCreateTables(false))
			.withMessageContainingAll("Grant SELECT, INSERT, UPDATE and DELETE on the tables", "lacks the right to")
			.withMessageEndingWith(missing);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					H2         | holder_ignores_case | _holder | ALTER COLUMN name SET DATA TYPE VARCHAR_IGNORECASE(255) | 'holder_ignores_case_holder' treats '...a' and '...A' as one lock
					MARIADB    | holder_ignores_case | _holder | MODIFY name VARCHAR(255) CHARACTER SET utf8mb4 | 'holder_ignores_case_holder' treats '...a' and '...A' as one lock
					MARIADB    | holder_isam     | _holder | MODIFY name VARBINARY(765), MODIFY owner VARCHAR(40) CHARACTER SET latin1, ENGINE = MyISAM | 'holder_isam_holder' has no transactions
					H2         | holder_short    | _holder | ALTER COLUMN owner SET DATA TYPE VARCHAR(20) | columns must be as long as in the script
					MARIADB    | holder_short    | _holder | MODIFY owner VARCHAR(20)                     | columns must be as long as in the script
					POSTGRESQL | holder_short    | _holder | ALTER COLUMN owner TYPE VARCHAR(20)          | columns must be as long as in the script
					H2         | short_names     | | ALTER COLUMN name SET DATA TYPE VARCHAR(100) | 'name' of 255 characters
					MARIADB    | short_names     | | MODIFY name VARBINARY(100)                   | 'name' of 255 characters
					POSTGRESQL | short_names     | | ALTER COLUMN name TYPE VARCHAR(100)          | 'name' of 255 characters
					H2         | no_host         | | DROP COLUMN host | Give the tables no_host and no_host_holder the columns
					MARIADB    | no_host         | | DROP COLUMN host | Give the tables no_host and no_host_holder the columns
					POSTGRESQL | no_host         | | DROP COLUMN host | Give the tables no_host and no_host_holder the columns
					H2         | no_key          | | DROP PRIMARY KEY | takes two rows for one lock
					MARIADB    | no_key          | | DROP PRIMARY KEY | takes two rows for one lock
					POSTGRESQL | no_key          | | DROP CONSTRAINT no_key_pkey | takes two rows for one lock
					POSTGRESQL | holder_no_key   | _holder | DROP CONSTRAINT holder_no_key_holder_pkey | 'holder_no_key_holder' takes two rows for one lock
					MARIADB    | no_transactions | | MODIFY name VARBINARY(765), ENGINE = MyISAM | must be InnoDB
					MARIADB    | confusing       | | MODIFY name VARCHAR(255) | its column 'name' must compare names exactly
					""")
	void aChangedTableIsRefused(TestDatabase database, String table, @Nullable String suffix, String change,
			String message) {
		JdbcLockSettings settings = SETTINGS.withTable(table);
		new LockTableCheck(database.dataSource(), settings).run();
		new JdbcTemplate(database.dataSource())
			.execute("ALTER TABLE " + table + Objects.requireNonNullElse(suffix, "") + " " + change);
		assertThatRefused(database.dataSource(), settings).withMessageContaining(message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "short_bytes", "short_bytes_holder" })
	void aBinaryColumnForNamesOfOneByteALetterIsRefused(String table) {
		JdbcLockSettings settings = SETTINGS.withTable("short_bytes");
		JdbcTemplate sql = new JdbcTemplate(TestDatabase.MARIADB.dataSource());
		sql.execute("DROP TABLE IF EXISTS short_bytes");
		sql.execute("DROP TABLE IF EXISTS short_bytes_holder");
		new LockTableCheck(TestDatabase.MARIADB.dataSource(), settings).run();
		sql.execute("ALTER TABLE " + table + " MODIFY name VARBINARY(255)");
		assertThatRefused(TestDatabase.MARIADB.dataSource(), settings).withMessageContaining("VARBINARY(1020)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "jdbc:h2:mem:forgotten", "jdbc:h2:mem:" })
	void aDatabaseInMemoryThatEndsWithItsLastConnectionIsRefused(String url) throws SQLException {
		DriverManagerDataSource dataSource = new DriverManagerDataSource(url, "sa", "");
		assertThatRefused(dataSource, SETTINGS).withMessageContaining("Add ;DB_CLOSE_DELAY=-1");
		dataSource.setUrl("jdbc:h2:mem:kept");
		try (Connection pooled = dataSource.getConnection()) {
			new LockTableCheck(dataSource, SETTINGS).run();
			assertThat(pooled.isValid(1)).isTrue();
		}
	}

	@Test
	void anH2ThatIsOpenedForReadingIsRefused(@TempDir Path folder) {
		String url = "jdbc:h2:file:" + folder.resolve("locks");
		new LockTableCheck(new DriverManagerDataSource(url, "sa", ""), SETTINGS).run();
		assertThatRefused(new DriverManagerDataSource(url + ";ACCESS_MODE_DATA=r", "sa", ""), SETTINGS)
			.withMessageContaining("it was opened for reading only");
	}

	@Test
	void aReplicaOfPostgresIsRefused() {
		DatabaseServer server = TestDatabase.POSTGRESQL.server();
		server.restartAsReplica(true);
		try {
			assertThatRefused(server.administrator(), SETTINGS).withMessageContaining("this server is a replica");
		}
		finally {
			server.restartAsReplica(false);
		}
	}

	@ParameterizedTest
	@EnumSource
	void theTransactionDefaultsOfTheDataSourceDoNotMatter(TestDatabase database) {
		DataSource dataSource = new DelegatingDataSource(database.dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
				connection.setReadOnly(true);
				connection.setAutoCommit(false);
				return connection;
			}

		};
		JdbcLockSettings settings = SETTINGS.withTable("defaults_" + UUID.randomUUID().toString().substring(0, 8));
		try (JdbcLockTemplate locks = new JdbcLockTemplate(dataSource, settings, List.of());
				JdbcLockTemplate others = new JdbcLockTemplate(dataSource, settings, List.of());
				LockHandle lock = locks.acquire(LockRequest.of("a"))) {
			assertThat(lock.isHeld()).isTrue();
			assertThat(others.tryAcquire(LockRequest.of("a").waitTime(Duration.ZERO))).isNull();
		}
	}

	@Test
	void tablesThatTheUserMayNotCreateAreNoProblemIfTheyExist() {
		DatabaseServer server = TestDatabase.POSTGRESQL.server();
		new LockTableCheck(server.administrator(), SETTINGS).run();
		server.execute("GRANT ALL ON distributed_lock, distributed_lock_holder TO " + DatabaseServer.USER,
				"REVOKE CREATE ON SCHEMA public FROM PUBLIC");
		try {
			new LockTableCheck(server.dataSource(), SETTINGS).run();
			assertThatRefused(server.dataSource(), SETTINGS.withTable("other"))
				.withMessageContaining("can't be created: ERROR: permission denied");
		}
		finally {
			server.execute("GRANT CREATE ON SCHEMA public TO PUBLIC");
		}
	}

	@Test
	void anotherInstanceMayCreateTheTablesAtTheSameTime() throws Exception {
		DataSource dataSource = TestDatabase.POSTGRESQL.dataSource();
		new LockTableCheck(dataSource, SETTINGS).run();
		try (Connection other = dataSource.getConnection(); Statement statement = other.createStatement()) {
			other.setAutoCommit(false);
			statement.execute("CREATE TABLE made_twice (LIKE distributed_lock INCLUDING ALL)");
			CompletableFuture<Void> check = CompletableFuture
				.runAsync(() -> new LockTableCheck(dataSource, SETTINGS.withTable("made_twice")).run());
			Awaitility.await().until(() -> {
				try (ResultSet waiting = statement.executeQuery("SELECT 1 FROM pg_locks WHERE NOT granted")) {
					return waiting.next();
				}
			});
			other.commit();
			assertThat(check).succeedsWithin(Duration.ofSeconds(30));
		}
	}

	@Test
	void aClusterOfSeveralWritersCausesAWarning(CapturedOutput output) throws SQLException {
		DataSource galera = Mockito.mock(DataSource.class);
		Connection connection = TestDatabase.MARIADB.dataSource().getConnection();
		Connection spied = Mockito.mock(Connection.class, AdditionalAnswers.delegatesTo(connection));
		Mockito.doReturn(spied).when(galera).getConnection();
		Mockito.doAnswer((call) -> {
			Statement statement = connection.createStatement();
			Statement answering = Mockito.mock(Statement.class, AdditionalAnswers.delegatesTo(statement));
			Mockito.doAnswer((query) -> statement.executeQuery("SELECT 'wsrep_on', 'ON'"))
				.when(answering)
				.executeQuery(ArgumentMatchers.contains("wsrep_on"));
			return answering;
		}).when(spied).createStatement();
		new LockTableCheck(galera, SETTINGS).run();
		assertThat(output).contains("is a Galera cluster (wsrep_on)");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Oracle", "Microsoft SQL Server" })
	void anotherDatabaseIsNamed(String product) throws SQLException {
		DataSource dataSource = Mockito.mock(DataSource.class, Mockito.RETURNS_DEEP_STUBS);
		Mockito.when(dataSource.getConnection().getMetaData().getDatabaseProductName()).thenReturn(product);
		assertThatRefused(dataSource, SETTINGS).withMessageContaining("Locks can't be kept in " + product + " yet");
	}

	private static ThrowableAssertAlternative<LockUnavailableException> assertThatRefused(DataSource dataSource,
			JdbcLockSettings settings) {
		return assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> new LockTableCheck(dataSource, settings).run());
	}

}
