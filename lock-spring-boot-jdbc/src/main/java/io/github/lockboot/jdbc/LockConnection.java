package io.github.lockboot.jdbc;

import java.nio.charset.Charset;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.fencing.SqlStates;

/**
 * One connection to the database of the locks, used by one thread. The statements stay
 * prepared. What the connection has changed in its session ends with it, since a pool may
 * give the session to others.
 */
final class LockConnection implements AutoCloseable {

	private static final Executor SAME_THREAD = Runnable::run;

	private static final long LONGEST_TEST_NANOS = TimeUnit.SECONDS.toNanos(1);

	private final Connection connection;

	private final Undo undo;

	/** Whether transactions read a snapshot, unless they choose something else. */
	private final boolean readsSnapshots;

	private final LockTable table;

	/** The encoding of the names of locks, if it is known. */
	private final @Nullable Charset encoding;

	private final Map<String, PreparedStatement> statements = new HashMap<>();

	/** How long to wait for the reply to a statement. */
	private final int timeoutMillis;

	private int presentTimeoutMillis;

	private boolean limited;

	private long deadlineNanos;

	private LockConnection(Connection connection, Undo undo, boolean readsSnapshots, LockTable table,
			@Nullable Charset encoding, int timeoutMillis) {
		this.connection = connection;
		this.undo = undo;
		this.readsSnapshots = readsSnapshots;
		this.table = table;
		this.encoding = encoding;
		this.timeoutMillis = timeoutMillis;
		this.presentTimeoutMillis = timeoutMillis;
	}

	/**
	 * Open a connection, which is closed after a statement without a reply.
	 */
	static LockConnection open(DataSource dataSource, JdbcLockSettings settings) throws SQLException {
		Connection connection = dataSource.getConnection();
		Undo undo = Undo.NOTHING;
		try {
			int timeoutMillis = (int) Math.min(Integer.MAX_VALUE, settings.statementTimeout().toMillis());
			int timeoutBefore = connection.getNetworkTimeout();
			setNetworkTimeout(connection, timeoutMillis);
			boolean autoCommit = connection.getAutoCommit();
			connection.setAutoCommit(true);
			DatabaseDialect dialect = DatabaseDialect.of(connection);
			int isolation = connection.getTransactionIsolation();
			undo = undo(connection, dialect, isolation, autoCommit, timeoutBefore);
			boolean readsSnapshots = prepare(connection, dialect, isolation);
			return new LockConnection(connection, undo, readsSnapshots, new LockTable(dialect, settings),
					dialect.encoding(connection), timeoutMillis);
		}
		catch (SQLException | RuntimeException | Error ex) {
			try (connection) {
				undo.run();
			}
			catch (SQLException | RuntimeException | Error closing) {
				ex.addSuppressed(closing);
			}
			throw ex;
		}
	}

	/** Set what the statements need, and return whether they read snapshots. */
	private static boolean prepare(Connection connection, DatabaseDialect dialect, int isolation) throws SQLException {
		connection.setReadOnly(false);
		if (dialect.sharesSessions()) {
			return isolation != Connection.TRANSACTION_READ_COMMITTED;
		}
		connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
		dialect.setLockTimeout(connection, "1");
		return false;
	}

	/** Return what restores the settings of a session, unless the database hangs. */
	private static Undo undo(Connection connection, DatabaseDialect dialect, int isolation, boolean autoCommit,
			int timeoutMillis) throws SQLException {
		boolean readOnly = connection.isReadOnly();
		String lockTimeout = dialect.lockTimeout(connection);
		return () -> {
			if (connection.isClosed()) {
				return; // by the driver, after a failure
			}
			setNetworkTimeout(connection, (int) TimeUnit.NANOSECONDS.toMillis(LONGEST_TEST_NANOS));
			if (!dialect.sharesSessions()) {
				dialect.setLockTimeout(connection, lockTimeout);
				connection.setTransactionIsolation(isolation);
			}
			connection.setReadOnly(readOnly);
			connection.setAutoCommit(autoCommit);
			setNetworkTimeout(connection, timeoutMillis);
		};
	}

	private static void setNetworkTimeout(Connection connection, int millis) throws SQLException {
		try {
			connection.setNetworkTimeout(SAME_THREAD, millis);
		}
		catch (SQLFeatureNotSupportedException ex) {
			// a database in this process
		}
	}

	static LockConnection of(Connection connection, LockTable table) {
		return new LockConnection(connection, Undo.NOTHING, false, table, null, 0);
	}

	LockTable table() {
		return this.table;
	}

	@Nullable Charset encoding() {
		return this.encoding;
	}

	Object unwrap(Class<?> type) throws SQLException {
		return this.connection.unwrap(type);
	}

	/** Limit the total wait for the replies to the next statements. */
	void limit(long nanos) {
		this.deadlineNanos = System.nanoTime() + nanos;
		this.limited = true;
	}

	/** Use the configured limit for the reply to each statement. */
	void unlimit() {
		this.limited = false;
	}

	/** Return whether the database replies soon, and within the current limit. */
	boolean isAlive() {
		boolean wasLimited = this.limited;
		long deadlineNanos = this.deadlineNanos;
		long testNanos = Math.min(LONGEST_TEST_NANOS, TimeUnit.MILLISECONDS.toNanos(this.timeoutMillis) / 3);
		limit(wasLimited ? Math.min(testNanos, deadlineNanos - System.nanoTime()) : testNanos);
		try {
			return query(ResultSet::next, "SELECT 1");
		}
		// drivers and pools throw all of these
		catch (SQLException | RuntimeException | Error ex) {
			return false;
		}
		finally {
			this.limited = wasLimited;
			this.deadlineNanos = deadlineNanos;
		}
	}

	/** Execute a statement, and return how many rows it has changed. */
	int update(String sql, Object... parameters) throws SQLException {
		return isolated((own) -> bind(statement(sql, false), parameters).executeUpdate());
	}

	/** Return whether an insertion would violate a key. The transaction goes on. */
	boolean isDuplicate(String insert, Object... parameters) throws SQLException {
		try {
			return update(this.table.dialect().ignoringDuplicates(insert), parameters) == 0;
		}
		catch (SQLException ex) {
			if (SqlStates.isRetried(ex)) {
				return true;
			}
			throw ex;
		}
	}

	/**
	 * Execute a statement that returns the token of the row that it has changed, or
	 * {@link DatabaseDialect#NONE}.
	 */
	long token(String sql, Object... parameters) throws SQLException {
		return isolated((own) -> this.table.dialect().token(bind(statement(sql, true), parameters)));
	}

	<T> T query(Rows<T> rows, String sql, Object... parameters) throws SQLException {
		try (ResultSet result = bind(statement(sql, false), parameters).executeQuery()) {
			return rows.read(result);
		}
	}

	/** A change by itself must see what others have committed, too. */
	private <T> T isolated(Work<T> work) throws SQLException {
		return (this.readsSnapshots && this.connection.getAutoCommit()) ? inTransaction(work) : work.run(this);
	}

	/** Run several statements in a transaction, of which each sees committed data. */
	<T> T inTransaction(Work<T> work) throws SQLException {
		this.connection.setAutoCommit(false);
		boolean done = false;
		try {
			if (this.readsSnapshots) {
				update("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
			}
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
		limitReply();
		PreparedStatement statement = this.statements.get(sql);
		if (statement == null) {
			statement = returningToken ? this.table.dialect().prepareReturningToken(this.connection, sql)
					: this.connection.prepareStatement(sql);
			this.statements.put(sql, statement);
		}
		return statement;
	}

	private void limitReply() throws SQLException {
		int millis = this.timeoutMillis;
		if (this.limited) {
			long leftMillis = TimeUnit.NANOSECONDS.toMillis(this.deadlineNanos - System.nanoTime());
			if (leftMillis <= 0) {
				throw new SQLTimeoutException("The database did not reply in time");
			}
			millis = (int) Math.min(leftMillis, millis);
		}
		if (millis != this.presentTimeoutMillis) {
			this.connection.setNetworkTimeout(SAME_THREAD, millis);
			this.presentTimeoutMillis = millis;
		}
	}

	private static PreparedStatement bind(PreparedStatement statement, Object... parameters) throws SQLException {
		for (int i = 0; i < parameters.length; i++) {
			statement.setObject(i + 1, parameters[i]);
		}
		return statement;
	}

	@Override
	public void close() throws SQLException {
		try (this.connection) {
			this.undo.run();
		}
	}

	/** Restores what was changed. */
	private interface Undo {

		Undo NOTHING = () -> {
		};

		void run() throws SQLException;

	}

	/** Work that needs a connection. */
	interface Work<T> {

		T run(LockConnection connection) throws SQLException;

	}

	/** Reads the rows of a query. */
	interface Rows<T> {

		T read(ResultSet rows) throws SQLException;

	}

}
