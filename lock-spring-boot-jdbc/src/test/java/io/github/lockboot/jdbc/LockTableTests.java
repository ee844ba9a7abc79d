package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.transaction.JdbcTransactionLocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

@Timeout(60)
class LockTableTests {

	private static final JdbcLockSettings SETTINGS = JdbcLockSettings.defaults()
		.withLockDefaults(LockDefaults.defaults().withApplication("\u6f22"));

	private static final String SETTING = "current_setting('synchronous_commit')";

	@Test
	void onlyAReleaseDoesNotWaitForTheDisk() throws SQLException {
		TestDatabase database = TestDatabase.POSTGRESQL;
		JdbcLockSettings settings = JdbcLockSettings.defaults().withCreateTables(true);
		new LockTableCheck(database.dataSource(), settings).run();
		try (LockConnection connection = LockConnection.open(database.dataSource(), settings)) {
			connection.update("SET synchronous_commit = on");
			LockTable table = connection.table();
			Object name = table.key(UUID.randomUUID().toString());
			connection.token(table.leases.insert, name, "0a:1", 0L, 0L, 60_000_000L, "host", 1L, "thread");
			assertThat(connection.query(LockTableTests::text, table.leases.release + " RETURNING " + SETTING, 0L, 0L,
					name, "0a:1"))
				.isEqualTo("off");
			assertThat(connection.query(LockTableTests::text, "SELECT " + SETTING)).isEqualTo("on");
		}
	}

	@ParameterizedTest
	@EnumSource
	void theNameOfAThreadFailsNoLock(TestDatabase database) throws Exception {
		try (JdbcLockTemplate locks = template(database.dataSource())) {
			assertThatUnusualThreadsLock(locks);
		}
	}

	@Test
	void theNameOfAThreadFailsNoLockInADatabaseOfAnotherEncoding() throws Exception {
		try (JdbcLockTemplate locks = template(latin1())) {
			assertThatUnusualThreadsLock(locks);
		}
	}

	@Test
	void theNameOfAThreadFailsNoLockInATableOfAnotherEncoding() throws Exception {
		DataSource dataSource = TestDatabase.MARIADB.dataSource();
		template(dataSource).close();
		for (String table : List.of("lock", "lock_holder")) {
			new JdbcTemplate(dataSource)
				.execute("CREATE TABLE IF NOT EXISTS ascii_" + table + " LIKE distributed_" + table);
		}
		new JdbcTemplate(dataSource).execute("ALTER TABLE ascii_lock CONVERT TO CHARACTER SET ascii");
		try (JdbcLockTemplate locks = new JdbcLockTemplate(dataSource, SETTINGS.withTable("ascii_lock"), List.of())) {
			assertThatUnusualThreadsLock(locks);
		}
	}

	private static void assertThatUnusualThreadsLock(JdbcLockTemplate locks) throws InterruptedException {
		for (String name : List.of("Gr\u00f6\u00dfe", "\u6f22\u5b57 \ud83d\ude00", "\0", "\ud83d", "\u00df".repeat(300),
				"line\nline")) {
			AtomicReference<Throwable> failure = new AtomicReference<>();
			Thread thread = new Thread(() -> {
				String lock = UUID.randomUUID().toString();
				locks.execute(lock, () -> {
				});
				// the row exists now
				locks.acquire(LockRequest.of(lock).waitTime(Duration.ZERO)).close();
			}, name);
			thread.setUncaughtExceptionHandler((failed, ex) -> failure.set(ex));
			thread.start();
			thread.join();
			assertThat(failure.get()).as(name).isNull();
		}
	}

	@Test
	void reasonAndApplicationFollowTheThreadUnlessAllIsHidden() {
		LockAttempt attempt = new LockAttempt("a", "0a:1", 1, 1, "main | x", "Orders.pay");
		assertThat(Requester.thisProcess("shop").of(attempt, "shop").thread()).isEqualTo("main x | Orders.pay | shop");
		assertThat(Requester.thisProcess(null).of(attempt, null)).isEqualTo(new Requester("", 0, ""));
	}

	@Test
	void aRequesterOfAnyLanguageIsCutBetweenCharacters() {
		LockAttempt attempt = new LockAttempt("a", "0a:1", 1, 1, "\u8a02".repeat(100), "\u55ae");
		assertThat(Requester.thisProcess("\u5546").of(attempt, "\u5546").thread())
			.isEqualTo("\\u8a02".repeat(13) + " | \\u55ae | \\u5546");
	}

	@Test
	void aThreadIsReadableInTheTable() {
		assertThat(new Requester("host", 1, "Gr\u00f6\u00dfe-1 \\").thread()).isEqualTo("Gr\\u00f6\\u00dfe-1 \\");
		assertThat(new Requester("host", 1, "\u00df".repeat(300)).thread()).hasSize(42 * 6);
	}

	@Test
	void theTableTakesTextOfAnyLanguage() {
		DataSource dataSource = TestDatabase.MARIADB.dataSource();
		template(dataSource).close();
		assertThat(new JdbcTemplate(dataSource).queryForList("SELECT DISTINCT character_set_name FROM"
				+ " information_schema.columns WHERE table_schema = 'test' AND character_set_name IS NOT NULL"
				+ " AND table_name LIKE 'distributed_lock%'", String.class))
			.containsExactly("utf8mb4");
	}

	@Test
	void aNameThatTheTableCannotStoreIsRefusedWithItsCure() {
		try (JdbcLockTemplate locks = template(latin1())) {
			locks.execute("Gr\u00f6\u00dfe", () -> {
			});
			assertThatIllegalArgumentException()
				.isThrownBy(() -> locks.tryAcquire(LockRequest.of("order:\u6f22").waitTime(Duration.ofSeconds(30))))
				.withMessage(
						"Lock 'order:\u6f22' can't be kept in this database: the encoding ISO-8859-1 of the database lacks characters of the name. Use other characters, or keep the locks in a database with the encoding UTF8");
			TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(latin1()));
			assertThatIllegalArgumentException()
				.isThrownBy(() -> transaction
					.executeWithoutResult((status) -> new JdbcTransactionLocks(locks).acquire("order:\u6f22")))
				.withMessageContaining("ISO-8859-1");
		}
	}

	private static DataSource latin1() {
		DatabaseServer server = TestDatabase.POSTGRESQL.server();
		JdbcTemplate sql = new JdbcTemplate(TestDatabase.POSTGRESQL.dataSource());
		if (sql.queryForList("SELECT 1 FROM pg_database WHERE datname = 'latin1'").isEmpty()) {
			sql.execute("CREATE DATABASE latin1 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0");
		}
		String url = server.url("127.0.0.1:" + server.port()).replaceFirst("/postgres$", "/latin1");
		return new DriverManagerDataSource(url, "postgres", "");
	}

	private static JdbcLockTemplate template(DataSource dataSource) {
		return new JdbcLockTemplate(dataSource, SETTINGS.withCreateTables(true), List.of());
	}

	private static String text(ResultSet rows) throws SQLException {
		assertThat(rows.next()).isTrue();
		return rows.getString(1);
	}

}
