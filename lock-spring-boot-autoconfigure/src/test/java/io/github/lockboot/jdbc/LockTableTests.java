package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LockTableTests {

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
			connection.token(table.insert, name, "0a:1", 0L, 0L, 60_000_000L, "host", 1L, "thread");
			assertThat(connection.query(LockTableTests::text, table.release + " RETURNING " + SETTING, 0L, 0L, name,
					"0a:1"))
				.isEqualTo("off");
			assertThat(connection.query(LockTableTests::text, "SELECT " + SETTING)).isEqualTo("on");
		}
	}

	private static String text(ResultSet rows) throws SQLException {
		assertThat(rows.next()).isTrue();
		return rows.getString(1);
	}

}
