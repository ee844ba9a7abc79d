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

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptUtils;

import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.fencing.SqlStates;

/**
 * Creates the tables if the settings require it, and checks that the database can keep
 * locks.
 */
final class LockTableCheck {

	private static final Log logger = LogFactory.getLog(LockTableCheck.class);

	private static final int MOST_TRIES = 5;

	/** An owner as long as the longest name of an attempt. */
	private static final String OWNER = "0".repeat(17) + Long.toString(Long.MAX_VALUE, 36);

	private static final String WITHOUT_TRANSACTIONS = " has no transactions: in MySQL and MariaDB its engine must be"
			+ " InnoDB";

	private final DataSource dataSource;

	private final JdbcLockSettings settings;

	private final DatabaseCures cures;

	LockTableCheck(DataSource dataSource, JdbcLockSettings settings) {
		this.dataSource = dataSource;
		this.settings = settings;
		this.cures = new DatabaseCures(settings.table());
	}

	/**
	 * Check the database, and return its kind.
	 * @throws LockUnavailableException if the database cannot keep locks
	 */
	DatabaseDialect run() {
		DatabaseDialect dialect = check();
		if (dialect == DatabaseDialect.H2) {
			checkNextConnection(dialect);
		}
		return dialect;
	}

	/**
	 * Check with a second connection that the tables still exist: an in-memory H2 deletes
	 * everything when the last connection is closed.
	 */
	private void checkNextConnection(DatabaseDialect dialect) {
		try (Connection connection = this.dataSource.getConnection()) {
			LockTable table = new LockTable(dialect, this.settings);
			LockConnection.of(connection, table).query(ResultSet::next, table.select, table.key("probe"));
		}
		catch (SQLException ex) {
			throw unusable("it is gone with the last connection to this in-memory database. Add"
					+ " ;DB_CLOSE_DELAY=-1 to the URL of the database, and a name if the URL has none ("
					+ ex.getMessage() + ")", ex);
		}
	}

	private DatabaseDialect check() {
		try (Connection connection = this.dataSource.getConnection()) {
			DatabaseDialect dialect = dialect(connection);
			connection.setAutoCommit(true);
			connection.setReadOnly(false);
			checkServer(connection, dialect);
			ScriptException notCreated = this.settings.createTables() ? create(connection, dialect) : null;
			try {
				checkTables(connection, new LockTable(dialect, this.settings));
			}
			catch (LockUnavailableException ex) {
				throw (notCreated == null) ? ex
						: failure(
								"The tables of the locks can't be created: "
										+ NestedExceptionUtils.getMostSpecificCause(notCreated).getMessage(),
								notCreated);
			}
			return dialect;
		}
		catch (SQLException ex) {
			throw failure("The database of the locks can't be reached: " + this.cures.explained(ex).getMessage(), ex);
		}
	}

	private static DatabaseDialect dialect(Connection connection) {
		try {
			return DatabaseDialect.of(connection);
		}
		catch (SQLException ex) {
			throw failure(String.valueOf(ex.getMessage()), ex);
		}
	}

	private static void checkServer(Connection connection, DatabaseDialect dialect) throws SQLException {
		String readOnly = dialect.readOnly(connection);
		if (readOnly != null) {
			throw failure("The database of the locks can't be written to: " + readOnly
					+ ". Locks need the primary server and a user that may write: correct the URL or the setting",
					null);
		}
		if (dialect.isGalera(connection)) {
			logger
				.warn("The database of the locks is a Galera cluster (wsrep_on). All instances must connect to the same"
						+ " node: leases end by the clock of a node, and a lock that another node has just granted costs"
						+ " a conflict. Name that node in the URL of lock.jdbc.data-source");
		}
	}

	/**
	 * Create the tables, and return why they could not be created, or {@code null}. After
	 * a failure the tables may exist anyway. In PostgreSQL a statement fails if another
	 * instance creates the same table at the same time, and succeeds afterwards.
	 */
	private @Nullable ScriptException create(Connection connection, DatabaseDialect dialect) {
		String script = "schema-" + dialect.name().toLowerCase(Locale.ROOT) + ".sql";
		try (InputStream stream = Objects.requireNonNull(LockTableCheck.class.getResourceAsStream(script))) {
			String sql = new String(stream.readAllBytes(), StandardCharsets.UTF_8).replace("distributed_lock",
					this.settings.table());
			ByteArrayResource resource = new ByteArrayResource(sql.getBytes(StandardCharsets.UTF_8), script);
			for (int tries = 1;; tries++) {
				try {
					ScriptUtils.executeSqlScript(connection, resource);
					return null;
				}
				catch (ScriptException ex) {
					if (tries == MOST_TRIES) {
						return ex;
					}
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Execute each statement of the locks once, with the longest name, and roll back the
	 * changes.
	 */
	private void checkTables(Connection connection, LockTable table) throws SQLException {
		String probe = probe(table.dialect().widest());
		Object name = table.key(probe + "a");
		LockConnection locks = LockConnection.of(connection, table);
		connection.setAutoCommit(false);
		try {
			checkStatements(locks, probe, name);
			checkPrimaryKey(locks, "it", table.insertFree, name);
			checkPrimaryKey(locks, holders(), table.holders.insert, name, OWNER, 0);
		}
		finally {
			connection.rollback();
			connection.setAutoCommit(true);
		}
		boolean rolledBack = locks.update(table.delete, name) == 0;
		boolean holdersRolledBack = locks.update(table.holders.deleteAll, name) == 0;
		require(rolledBack, "it" + WITHOUT_TRANSACTIONS);
		require(holdersRolledBack, holders() + WITHOUT_TRANSACTIONS);
	}

	private void checkStatements(LockConnection locks, String probe, Object name) {
		LockTable table = locks.table();
		step("INSERT", () -> locks.update(table.insertFree, name));
		LockRow row = step("SELECT and UPDATE", () -> locks.query(LockRow::read, table.selectUnlocked, name));
		require(row.exists(),
				"it truncates names: its column 'name' must take " + LockTable.LONGEST_NAME + " characters");
		step("UPDATE", () -> acquire(locks, probe + "a"));
		step("INSERT", () -> locks.update(table.holders.insert, name, OWNER, 0));
		step("SELECT", () -> locks.query(ResultSet::next, table.holders.select, OWNER, OWNER, OWNER, name));
		// the rows are locked before a commit
		step("UPDATE", () -> locks.update(table.holders.expire, name));
		for (String other : new String[] { "A", "a " }) {
			checkExactNames(locks, table.key(probe + other), other);
		}
		step("DELETE", () -> locks.update(table.holders.deleteAll, name));
		step("DELETE", () -> locks.update(table.delete, name));
	}

	/** Check that no row of the probe is found by a similar name. */
	private void checkExactNames(LockConnection locks, Object name, String end) {
		LockTable table = locks.table();
		LockRow confused = step("SELECT", () -> locks.query(LockRow::read, table.select, name));
		requireExact(!confused.exists(), "it", end);
		int confusedHolders = step("DELETE", () -> locks.update(table.holders.deleteAll, name));
		requireExact(confusedHolders == 0, holders(), end);
	}

	/** Check that a second row of one lock, by which it would have two owners, fails. */
	private void checkPrimaryKey(LockConnection locks, String table, String insert, Object... row) throws SQLException {
		locks.update(insert, row);
		require(locks.isDuplicate(insert, row), table + " takes two rows for one lock, which two callers would"
				+ " hold: it needs the primary key of the script in the jar");
	}

	private String holders() {
		return "'" + this.settings.table() + "_holder'";
	}

	private void requireExact(boolean exact, String table, String end) {
		require(exact, table + " treats '...a' and '..." + end + "' as one lock: its column 'name' must"
				+ " compare names"
				+ " exactly, in MySQL and MariaDB as VARBINARY(1020), in H2 as VARCHAR(255) without IGNORECASE");
	}

	/** Acquire a lock with a request that uses all columns. */
	private static AcquireReply acquire(LockConnection locks, String name) throws SQLException {
		return new ExclusiveAttempt(new LockAttempt(name, OWNER, 1, 1), Requester.thisProcess(""), 0, false, false)
			.optimistic(locks);
	}

	/** Return a name that is one letter shorter than the longest of the table. */
	private String probe(char widest) {
		String probe = "probe-" + UUID.randomUUID();
		int rest = LockTable.LONGEST_NAME - 2 - this.settings.keyPrefix().length() - probe.length();
		return (rest > 0) ? probe + String.valueOf(widest).repeat(rest) : probe;
	}

	private <T> T step(String right, Step<T> step) {
		try {
			return step.run();
		}
		catch (SQLException ex) {
			boolean isRight = SqlStates.mistake(ex) == SqlStates.Mistake.MISSING_RIGHT;
			throw unusable(
					this.cures.explained(ex).getMessage() + (isRight ? ". The user lacks the right to " + right : ""),
					ex);
		}
	}

	private void require(boolean condition, String problem) {
		if (!condition) {
			throw unusable(problem, null);
		}
	}

	private LockUnavailableException unusable(@Nullable String problem, @Nullable Throwable cause) {
		return failure("The table of the locks, '" + this.settings.table() + "', can't be used: " + problem, cause);
	}

	private static LockUnavailableException failure(String message, @Nullable Throwable cause) {
		return new LockUnavailableException(null, message, cause);
	}

	/** A statement of the check. */
	private interface Step<T> {

		T run() throws SQLException;

	}

}
