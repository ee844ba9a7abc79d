package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.concurrent.CompletionException;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.PermissionDeniedDataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.util.Assert;

import io.github.lockboot.Internal;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.fencing.SqlStates;

/**
 * The statements that transactions of callers on the same database execute on the table
 * of locks. These transactions have connections of the application, perhaps with another
 * schema. Thread-safe.
 */
@Internal
public final class CallersTransactions {

	private final JdbcLockStore store;

	private final String database;

	private final DatabaseDialect dialect;

	private final LockTable table;

	private final String qualified;

	private final String selectUnlocked;

	private final String selectOwner;

	private final String selectHolder;

	private CallersTransactions(JdbcLockStore store, String database, DatabaseDialect dialect, LockTable table,
			String qualified, String latest) {
		this.store = store;
		this.database = database;
		this.dialect = dialect;
		this.table = table;
		this.qualified = qualified;
		this.selectOwner = latest + "SELECT owner FROM " + qualified + " WHERE name = ? AND acquired_at <= ?"
				+ dialect.forShare();
		this.selectHolder = latest + "SELECT owner FROM " + qualified + "_holder WHERE name = ? AND owner = ?"
				+ dialect.forShare();
		this.selectUnlocked = latest + "SELECT state FROM " + qualified + " WHERE name = ? FOR UPDATE SKIP LOCKED";
	}

	/** Inspect a database over a connection of the locks. */
	static CallersTransactions of(Connection connection, JdbcLockSettings settings, JdbcLockStore store)
			throws SQLException {
		DatabaseDialect dialect = DatabaseDialect.of(connection);
		return new CallersTransactions(store, database(connection), dialect, new LockTable(dialect, settings),
				qualified(connection, dialect, settings.table()), dialect.latest(connection));
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
	 * before the transaction has ended. An expired lease does not matter as long as
	 * nobody has acquired the lock since, not even a late request of the same attempt.
	 * @param token the fencing token of the holder, as the table has issued it
	 */
	boolean owns(ConnectionHolder transaction, LockAttempt attempt, long token) {
		Object name = this.table.key(attempt.lock());
		String task = "check before the commit that lock '" + attempt.lock() + "' is still owned";
		try {
			String owner = selected(transaction, this.selectOwner, name,
					LockTable.latestAcquiredMicros(attempt, token));
			if (owner == null && readsSnapshot(transaction.getConnection()) && isOwnedNow(attempt)) {
				throw new SQLException("The lock was acquired after the snapshot of the transaction",
						SqlStates.SERIALIZATION_FAILURE);
			}
			return attempt.id().equals(owner) || (LockTable.SHARED.equals(owner)
					&& selected(transaction, this.selectHolder, name, attempt.id()) != null);
		}
		catch (SQLException ex) {
			if (SqlStates.mistake(ex) == SqlStates.Mistake.MISSING_RIGHT) {
				throw new PermissionDeniedDataAccessException(
						"Cannot " + task + missingRight(transaction.getConnection(), ex), ex);
			}
			throw translated(task, ex);
		}
	}

	/**
	 * Check the owner over another connection, because the row may be newer than the
	 * snapshot of a transaction.
	 */
	private boolean isOwnedNow(LockAttempt attempt) throws SQLException {
		try {
			String owner = FutureWait.join(this.store.inspect(attempt.lock()).toCompletableFuture()).owner();
			return attempt.id().equals(owner) || LockTable.SHARED.equals(owner);
		}
		catch (CompletionException ex) { // the next transaction will find out
			throw new SQLException("It is unknown whether the lock was acquired after the snapshot of the transaction",
					SqlStates.SERIALIZATION_FAILURE, StageFailure.cause(ex));
		}
	}

	/**
	 * Check that the user of a connection may do what {@link #owns} does.
	 * @throws LockUnavailableException if a right is missing
	 * @throws SQLException if the rights cannot be checked, for example on a replica
	 */
	void checkRights(Connection connection) throws SQLException {
		ConnectionHolder transaction = new ConnectionHolder(connection);
		try {
			selected(transaction, this.selectOwner, this.table.key("probe"), 0L);
			selected(transaction, this.selectHolder, this.table.key("probe"), "probe");
		}
		catch (SQLException ex) {
			if (SqlStates.mistake(ex) == SqlStates.Mistake.MISSING_RIGHT) {
				endTransaction(connection);
				throw new LockUnavailableException(null,
						"A transaction of the application can't check before its commit that it still owns its locks"
								+ missingRight(connection, ex),
						ex);
			}
			throw ex;
		}
		finally {
			endTransaction(connection);
		}
	}

	private static void endTransaction(Connection connection) throws SQLException {
		if (!connection.getAutoCommit()) {
			connection.rollback();
		}
	}

	/**
	 * Describe the rights that a user lacks, and how to grant these rights. In PostgreSQL
	 * a transaction that has failed answers no more, not even which role it has set.
	 */
	private String missingRight(Connection connection, SQLException failure) {
		String user = "<user>";
		try {
			user = this.dialect.currentUser(connection);
		}
		catch (SQLException ex) {
			failure.addSuppressed(ex);
			try {
				user = connection.getMetaData().getUserName();
			}
			catch (SQLException unknown) {
				failure.addSuppressed(unknown);
			}
		}
		return ": " + failure.getMessage()
				+ ". The database user, or the role that its transaction has set, needs these rights: "
				+ this.dialect.grants(this.qualified, user);
	}

	/**
	 * Prepare a transaction for a lock that it will hold until its end.
	 * @throws IllegalStateException if the transaction would read data from before the
	 * lock was acquired
	 * @throws LockUnavailableException if the database fails
	 */
	public void prepare(ConnectionHolder transaction, String lock) {
		try {
			Assert.state(!readsSnapshot(transaction.getConnection()), () -> "A transaction that waits for lock '" + lock
					+ "' would read data from before the lock was acquired: set its isolation to READ_COMMITTED");
			FutureWait.join(this.store.createRow(lock).toCompletableFuture());
		}
		catch (SQLException | CompletionException ex) {
			throw unavailable(lock, ": the database failed (" + StageFailure.cause(ex).getMessage() + ")",
					StageFailure.cause(ex));
		}
	}

	private boolean readsSnapshot(Connection transaction) throws SQLException {
		return this.dialect.readsSnapshotOfFirstStatement()
				&& transaction.getTransactionIsolation() > Connection.TRANSACTION_READ_COMMITTED;
	}

	/**
	 * Return whether a transaction could acquire a lock until the end of the transaction.
	 * This method waits for nobody.
	 * @throws LockUnavailableException if the database fails
	 * @throws TransactionTimedOutException if the time of the transaction is over
	 */
	public boolean tryLock(ConnectionHolder transaction, String lock) {
		try {
			return selected(transaction, this.selectUnlocked, this.table.keyForTransactions(lock)) != null;
		}
		catch (SQLException ex) {
			String cause = (SqlStates.mistake(ex) == SqlStates.Mistake.MISSING_RIGHT)
					? missingRight(transaction.getConnection(), ex) : ": the database failed (" + ex.getMessage() + ")";
			throw unavailable(lock, cause, ex);
		}
	}

	private static LockUnavailableException unavailable(String lock, String problem, Throwable cause) {
		return new LockUnavailableException(lock,
				"Lock '" + lock + "' could not be acquired by a transaction" + problem, cause);
	}

	/**
	 * Translate a failure into an exception of Spring, since applications repeat
	 * transactions because of these exceptions.
	 */
	static DataAccessException translated(String task, SQLException failure) {
		DataAccessException translated = new SQLExceptionSubclassTranslator().translate(task, null, failure);
		return (translated != null) ? translated : new UncategorizedSQLException(task, null, failure);
	}

	/**
	 * Execute a query, no longer than the transaction may take, because a foreign lock
	 * may delay a statement.
	 */
	private static @Nullable String selected(ConnectionHolder transaction, String sql, Object... parameters)
			throws SQLException {
		try (PreparedStatement statement = transaction.getConnection().prepareStatement(sql)) {
			if (transaction.hasTimeout()) {
				statement.setQueryTimeout(transaction.getTimeToLiveInSeconds());
			}
			for (int i = 0; i < parameters.length; i++) {
				statement.setObject(i + 1, parameters[i]);
			}
			statement.execute(); // MySQL's driver accepts only a SELECT as a query
			try (ResultSet rows = statement.getResultSet()) {
				return rows.next() ? rows.getString(1) : null;
			}
		}
		finally {
			if (transaction.hasTimeout()) {
				transaction.getTimeToLiveInMillis(); // throws if no time is left
			}
		}
	}

}
