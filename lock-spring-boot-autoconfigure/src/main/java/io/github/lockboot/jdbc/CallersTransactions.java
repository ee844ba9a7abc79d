package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLExceptionSubclassTranslator;

import io.github.lockboot.engine.store.LockOwner;

/**
 * What transactions of callers do with the table of locks, if they are on the same
 * database. They have connections of the application, perhaps with another schema.
 * Thread-safe.
 */
final class CallersTransactions {

	private final String database;

	private final LockTable table;

	private final String selectOwner;

	private final String selectHolder;

	private CallersTransactions(String database, LockTable table, String qualified, String forShare) {
		this.database = database;
		this.table = table;
		this.selectOwner = "SELECT owner FROM " + qualified + " WHERE name = ?" + forShare;
		this.selectHolder = "SELECT owner FROM " + qualified + "_holder WHERE name = ? AND owner = ?" + forShare;
	}

	/** Find out about a database by a connection of the locks. */
	static CallersTransactions of(Connection connection, JdbcLockSettings settings) throws SQLException {
		DatabaseDialect dialect = DatabaseDialect.of(connection);
		return new CallersTransactions(database(connection), new LockTable(dialect, settings),
				qualified(connection, dialect, settings.table()), dialect.forShare());
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
	boolean mayWrite(Connection transaction) {
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
	 * nobody has acquired the lock since.
	 */
	boolean owns(Connection transaction, LockOwner attempt) {
		Object name = this.table.key(attempt.lock());
		try {
			String owner = selected(transaction, this.selectOwner, name);
			return attempt.id().equals(owner) || (LockTable.SHARED.equals(owner)
					&& selected(transaction, this.selectHolder, name, attempt.id()) != null);
		}
		catch (SQLException ex) {
			throw translated("check before the commit that lock '" + attempt.lock() + "' is still owned", ex);
		}
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
