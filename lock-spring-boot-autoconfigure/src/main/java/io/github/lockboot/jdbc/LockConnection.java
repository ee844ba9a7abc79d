package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

import javax.sql.DataSource;

/**
 * One connection to the database of the locks, used by one thread. Its statements stay
 * prepared.
 */
final class LockConnection implements AutoCloseable {

	private final Connection connection;

	private final LockTable table;

	private final Map<String, PreparedStatement> statements = new HashMap<>();

	private LockConnection(Connection connection, LockTable table) {
		this.connection = connection;
		this.table = table;
	}

	/**
	 * Open a connection. It is closed after a statement without a reply.
	 */
	static LockConnection open(DataSource dataSource, JdbcLockSettings settings) throws SQLException {
		Connection connection = dataSource.getConnection();
		try {
			Executor sameThread = Runnable::run;
			try {
				connection.setNetworkTimeout(sameThread,
						(int) Math.min(Integer.MAX_VALUE, settings.statementTimeout().toMillis()));
			}
			catch (SQLFeatureNotSupportedException ex) {
				// a database in this process
			}
			connection.setAutoCommit(true);
			connection.setReadOnly(false);
			connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
			DatabaseDialect dialect = DatabaseDialect.of(connection);
			dialect.begin(connection);
			return new LockConnection(connection, new LockTable(dialect, settings));
		}
		catch (SQLException | RuntimeException ex) {
			connection.close();
			throw ex;
		}
	}

	static LockConnection of(Connection connection, LockTable table) {
		return new LockConnection(connection, table);
	}

	LockTable table() {
		return this.table;
	}

	/** Execute a statement, and return how many rows it has changed. */
	int update(String sql, Object... parameters) throws SQLException {
		return bind(statement(sql, false), parameters).executeUpdate();
	}

	/**
	 * Execute a statement that returns the token of the row that it has changed, or
	 * {@link DatabaseDialect#NONE}.
	 */
	long token(String sql, Object... parameters) throws SQLException {
		return this.table.dialect().token(bind(statement(sql, true), parameters));
	}

	/** Execute a query. */
	<T> T query(Rows<T> rows, String sql, Object... parameters) throws SQLException {
		try (ResultSet result = bind(statement(sql, false), parameters).executeQuery()) {
			return rows.read(result);
		}
	}

	/** Run several statements in a transaction. */
	<T> T inTransaction(Work<T> work) throws SQLException {
		this.connection.setAutoCommit(false);
		boolean done = false;
		try {
			T result = work.run(this);
			this.connection.commit();
			done = true;
			return result;
		}
		finally {
			if (!done) {
				this.connection.rollback();
			}
			this.connection.setAutoCommit(true);
		}
	}

	private PreparedStatement statement(String sql, boolean returningToken) throws SQLException {
		PreparedStatement statement = this.statements.get(sql);
		if (statement == null) {
			statement = returningToken ? this.table.dialect().prepareReturningToken(this.connection, sql)
					: this.connection.prepareStatement(sql);
			this.statements.put(sql, statement);
		}
		return statement;
	}

	private static PreparedStatement bind(PreparedStatement statement, Object... parameters) throws SQLException {
		for (int i = 0; i < parameters.length; i++) {
			statement.setObject(i + 1, parameters[i]);
		}
		return statement;
	}

	@Override
	public void close() throws SQLException {
		this.connection.close();
	}

	/** Work with a connection. */
	interface Work<T> {

		T run(LockConnection connection) throws SQLException;

	}

	/** Reads the rows of a query. */
	interface Rows<T> {

		T read(ResultSet rows) throws SQLException;

	}

}
