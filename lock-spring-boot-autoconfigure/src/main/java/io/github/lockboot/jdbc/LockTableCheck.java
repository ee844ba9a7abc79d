package io.github.lockboot.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.init.ScriptUtils;

import io.github.lockboot.LockUnavailableException;

/**
 * Creates the tables if that is wanted, and checks that the database can keep locks.
 */
final class LockTableCheck {

	private final DataSource dataSource;

	private final JdbcLockSettings settings;

	LockTableCheck(DataSource dataSource, JdbcLockSettings settings) {
		this.dataSource = dataSource;
		this.settings = settings;
	}

	/**
	 * Check the database.
	 * @throws LockUnavailableException if it can't keep locks
	 */
	void run() {
		try (Connection connection = this.dataSource.getConnection()) {
			DatabaseDialect dialect = dialect(connection);
			if (this.settings.createTables()) {
				create(connection, dialect);
			}
			connection.setReadOnly(false);
			checkTable(connection, dialect);
		}
		catch (SQLException ex) {
			throw failure("The database of the locks can't be reached: " + ex.getMessage(), ex);
		}
	}

	private DatabaseDialect dialect(Connection connection) {
		try {
			return DatabaseDialect.of(connection);
		}
		catch (SQLException ex) {
			throw failure(String.valueOf(ex.getMessage()), ex);
		}
	}

	private void create(Connection connection, DatabaseDialect dialect) {
		String script = "schema-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
		try (InputStream stream = Objects.requireNonNull(LockTableCheck.class.getResourceAsStream(script))) {
			String sql = new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("distributed_lock",
					this.settings.table());
			ScriptUtils.executeSqlScript(connection,
					new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8), script));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Inserts a row for a moment, and looks whether the table takes it for another one.
	 */
	private void checkTable(Connection connection, DatabaseDialect dialect) {
		LockTable table = new LockTable(dialect, this.settings);
		String probe = "probe-" + UUID.randomUUID();
		Object name = table.key(probe + "a");
		try (LockConnection locks = LockConnection.of(connection, table)) {
			String confused = locks.inTransaction((transaction) -> {
				transaction.update(table.insertFree, name);
				transaction.query(ResultSet::next, table.selectForUpdate, name);
				transaction.update(table.deleteHolders, name);
				for (String other : new String[] { "A", "a " }) {
					if (transaction.query(LockRow::read, table.select, table.key(probe + other)).exists()) {
						return probe + other;
					}
				}
				return "";
			});
			locks.update(table.delete, name);
			if (!confused.isEmpty()) {
				throw failure("The table of the locks, '" + this.settings.table() + "', takes '" + probe + "a' and '"
						+ confused
						+ "' for one lock: its column 'name' must compare names exactly, in MySQL and MariaDB"
						+ " as VARBINARY(1020)", null);
			}
		}
		catch (SQLException ex) {
			throw failure("The table of the locks, '" + this.settings.table() + "', can't be used: " + ex.getMessage(),
					ex);
		}
	}

	private static LockUnavailableException failure(String message, @Nullable Throwable cause) {
		return new LockUnavailableException(null, message, cause);
	}

}
