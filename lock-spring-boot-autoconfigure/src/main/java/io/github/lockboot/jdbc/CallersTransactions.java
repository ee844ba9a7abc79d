package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.util.Assert;

import io.github.lockboot.Internal;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockOwner;

/**
 * What transactions of callers do with the table of locks, if they are on the same
 * database. They have connections of the application, perhaps with another schema.
 * Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class CallersTransactions {

	private final JdbcLockStore store;

	private final String database;

	private final DatabaseDialect dialect;

	private final LockTable table;

	private final String selectUnlocked;

	private final String selectOwner;

	private final String selectHolder;

	private CallersTransactions(JdbcLockStore store, String database, DatabaseDialect dialect, LockTable table,
			String qualified) {
		this.store = store;
		this.database = database;
		this.dialect = dialect;
		this.table = table;
		this.selectOwner = "SELECT owner FROM " + qualified + " WHERE name = ? AND acquired_at <= ?"
				+ dialect.forShare();
		this.selectHolder = "SELECT owner FROM " + qualified + "_holder WHERE name = ? AND owner = ?"
				+ dialect.forShare();
		this.selectUnlocked = "SELECT state FROM " + qualified + " WHERE name = ? FOR UPDATE SKIP LOCKED";
	}

	/** Find out about a database by a connection of the locks. */
	static CallersTransactions of(Connection connection, JdbcLockSettings settings, JdbcLockStore store)
			throws SQLException {
		DatabaseDialect dialect = DatabaseDialect.of(connection);
		return new CallersTransactions(store, database(connection), dialect, new LockTable(dialect, settings),
				qualified(connection, dialect, settings.table()));
	}

	private static String qualified(Connection connection, DatabaseDialect dialect, String table) throws SQLException {
		String schema = table.contains(".") ? null : dialect.schema(connection, table);
		if (schema == null) {
			return table;
		}
		String quote = connection.getMetaData().getIdentifierQuoteString();
		return quote + schema.replace(quote, quote + quote) + quote + "." + table;
	}

	/** Return the URL of a connection without its parameters. */
	private static String database(Connection connection) throws SQLException {
		return connection.getMetaData().getURL().split("[?;]", 2)[0];
	}

	/** Return whether a transaction may write to the database of the locks. */
	public boolean mayWrite(Connection transaction) {
		try {
			return !transaction.isReadOnly() && this.database.equals(database(transaction));
		}
		catch (SQLException ex) {
			throw translated("look at the connection of a transaction", ex);
		}
	}

	/**
	 * Return whether an attempt owns its lock. If so, nobody else can acquire the lock
	 * before the transaction has ended. A lease that is over does not matter as long as
	 * nobody has acquired the lock since, not even a late request of the same attempt.
	 * @param token the fencing token of the holder, as the table has issued it
	 */
	boolean owns(Connection transaction, LockOwner attempt, long token) {
		Object name = this.table.key(attempt.lock());
		try {
			String owner = selected(transaction, this.selectOwner, name,
					LockTable.latestAcquiredMicros(attempt, token));
			return attempt.id().equals(owner) || (LockTable.SHARED.equals(owner)
					&& selected(transaction, this.selectHolder, name, attempt.id()) != null);
		}
		catch (SQLException ex) {
			throw translated("check before the commit that lock '" + attempt.lock() + "' is still owned", ex);
		}
	}

	/**
	 * Prepare a transaction for a lock that it will hold until its end.
	 * @throws IllegalStateException if the transaction would read data from before the
	 * lock was acquired
	 * @throws LockUnavailableException if the database fails
	 */
	public void prepare(Connection transaction, String lock) {
		try {
			Assert.state(
					!this.dialect.readsSnapshotOfFirstStatement()
							|| transaction.getTransactionIsolation() <= Connection.TRANSACTION_READ_COMMITTED,
					() -> "A transaction that waits for lock '" + lock + "' would read data from before the lock was"
							+ " acquired: set its isolation to READ_COMMITTED");
			this.store.createRow(lock).toCompletableFuture().join();
		}
		catch (SQLException | CompletionException ex) {
			throw unavailable(lock, StageFailure.cause(ex));
		}
	}

	/**
	 * Return whether a transaction could acquire a lock until its end. Waits for nobody.
	 * @throws LockUnavailableException if the database fails
	 */
	public boolean tryLock(Connection transaction, String lock) {
		try {
			return selected(transaction, this.selectUnlocked, this.table.keyForTransactions(lock)) != null;
		}
		catch (SQLException ex) {
			throw unavailable(lock, ex);
		}
	}

	private static LockUnavailableException unavailable(String lock, Throwable cause) {
		return new LockUnavailableException(lock, "Lock '" + lock
				+ "' could not be acquired by a transaction: its database failed (" + cause.getMessage() + ")", cause);
	}

	/** Transactions are repeated because of such exceptions. */
	static DataAccessException translated(String task, SQLException failure) {
		DataAccessException translated = new SQLExceptionSubclassTranslator().translate(task, null, failure);
		return (translated != null) ? translated : new UncategorizedSQLException(task, null, failure);
	}

	private static @Nullable String selected(Connection transaction, String sql, Object... parameters)
			throws SQLException {
		try (PreparedStatement statement = transaction.prepareStatement(sql)) {
			for (int i = 0; i < parameters.length; i++) {
				statement.setObject(i + 1, parameters[i]);
			}
			try (ResultSet rows = statement.executeQuery()) {
				return rows.next() ? rows.getString(1) : null;
			}
		}
	}

}
