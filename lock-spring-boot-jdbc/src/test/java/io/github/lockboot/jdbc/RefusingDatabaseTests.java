package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.health.contributor.Status;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.actuate.LockHealthIndicator;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Databases that refuse the locks while the application runs, and at its start. */
@Timeout(120)
class RefusingDatabaseTests {

	/** In the statements, {u} is the user and {t} the table. */
	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					POSTGRESQL | ALTER ROLE {u} SET default_transaction_read_only = on | ALTER ROLE {u} RESET ALL | accepts no changes: connect the locks to the primary server
					MARIADB    | SET GLOBAL read_only = 1 | SET GLOBAL read_only = 0 | accepts no changes: connect the locks to the primary server
					POSTGRESQL | ALTER ROLE {u} CONNECTION LIMIT 0 | ALTER ROLE {u} CONNECTION LIMIT -1 | Each instance has three connections
					POSTGRESQL | ALTER ROLE {u} NOLOGIN | ALTER ROLE {u} LOGIN | Correct the user and the password
					MARIADB    | ALTER USER {u} IDENTIFIED BY 'rotated' | ALTER USER {u} IDENTIFIED BY '' | Correct the user and the password
					POSTGRESQL | ALTER TABLE {t} RENAME TO gone | ALTER TABLE {u}.gone RENAME TO distributed_lock | Create the tables {t} and {t}_holder
					MARIADB    | RENAME TABLE {t} TO {t}_gone | RENAME TABLE {t}_gone TO {t} | Create the tables {t} and {t}_holder
					POSTGRESQL | REVOKE INSERT, UPDATE ON {t} FROM {u} | GRANT ALL ON {t} TO {u} | Grant SELECT, INSERT, UPDATE and DELETE on the tables {t} and {t}_holder
					MARIADB    | REVOKE INSERT, UPDATE ON {t} FROM {u} | GRANT ALL ON {t} TO {u} | Grant SELECT, INSERT, UPDATE and DELETE on the tables {t} and {t}_holder
					POSTGRESQL | ALTER TABLE {t} RENAME COLUMN host TO h | ALTER TABLE {t} RENAME COLUMN h TO host | the columns of the script
					""")
	void healthCallsAndTheStartNameTheCure(TestDatabase database, String fault, String repair, String cure) {
		DatabaseServer server = database.server();
		String user = "user" + UUID.randomUUID().toString().substring(0, 8);
		String table = user + ".distributed_lock";
		UnaryOperator<String> named = (text) -> text.replace("{u}", user).replace("{t}", table);
		JdbcLockSettings settings = JdbcLockSettings.defaults().withTable(table);
		server.execute("CREATE SCHEMA " + user, "CREATE USER " + user);
		new LockTableCheck(database.dataSource(), settings.withCreateTables(true)).run();
		server.execute("GRANT ALL ON " + table + " TO " + user, "GRANT ALL ON " + table + "_holder TO " + user);
		boolean postgres = database == TestDatabase.POSTGRESQL;
		if (postgres) {
			server.execute("GRANT USAGE ON SCHEMA " + user + " TO " + user);
		}
		DataSource dataSource = new DriverManagerDataSource(server.url(server.host() + ":" + server.port()), user, "");
		try (JdbcLockTemplate locks = new JdbcLockTemplate(dataSource, settings, List.of())) {
			locks.acquire(LockRequest.of("a")).close();
			server.execute(named.apply(fault));
			server.execute(
					postgres ? "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + user + "'"
							: "KILL USER " + user);
			LockHealthIndicator health = new LockHealthIndicator(locks);
			Awaitility.await()
				.untilAsserted(() -> assertThat(health.health()).matches((down) -> down.getStatus() == Status.DOWN)
					.satisfies((down) -> assertThat(String.valueOf(down.getDetails().get("error")))
						.contains(named.apply(cure))));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.acquire(LockRequest.of("a").waitTime(Duration.ZERO)))
				.withMessageContaining(named.apply(cure));
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> new LockTableCheck(dataSource, settings).run())
				.withMessageContaining(fault.contains("read_only") ? "read_only is on" : named.apply(cure));
			server.execute(named.apply(repair));
			Awaitility.await().until(() -> health.health().getStatus() == Status.UP);
		}
		finally {
			server.execute(named.apply(repair.contains("TABLE") ? "SELECT 1" : repair));
		}
	}

}
