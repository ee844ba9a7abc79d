package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.RowCallbackHandler;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.util.Assert;

import io.github.lockboot.FencingGuard;
import io.github.lockboot.Internal;
import io.github.lockboot.StaleTokenException;

/**
 * A {@link FencingGuard} that keeps the tokens in a table of the database whose rows the
 * locks guard:
 *
 * <pre>
 * CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)
 * </pre>
 *
 * The column must compare names exactly. By default, MySQL and MariaDB ignore case and
 * trailing spaces: use {@code VARBINARY(1020)} there. If the table confuses two names and
 * would therefore refuse a holder, an {@link IllegalStateException} is thrown.
 * <p>
 * The guard takes part in Spring's transaction. In PostgreSQL, MySQL and MariaDB a holder
 * is admitted by one upsert; in other databases by plain SQL, which works with any
 * database that has transactions, savepoints and row locks. Thread-safe.
 *
 * @since 1.0.0
 */
public final class JdbcFencingGuard implements FencingGuard {

	/** The count in MySQL and MariaDB if an upsert changes an existing row. */
	private static final int ROW_CHANGED = 2;

	/** No token is stored. */
	static final long NONE = Long.MIN_VALUE;

	/** Ends the name of the row that tells of the inner transactions of a holder. */
	static final String TRACE = " ~inner";

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final String table;

	private final String update;

	private final String insert;

	private final String select;

	/** Lets a statement of MariaDB lock rows that are newer than the snapshot. */
	private volatile String latest = "";

	private volatile boolean rollsBackOnTimeout;

	/** Known after the first use. */
	private volatile @Nullable Kind kind;

	/**
	 * Create a guard with the table {@code lock_fence}.
	 * @param dataSource the database of the guarded data
	 */
	public JdbcFencingGuard(DataSource dataSource) {
		this(dataSource, "lock_fence");
	}

	/**
	 * Create a guard.
	 * @param dataSource the database of the guarded data
	 * @param table name of the table of the tokens, including the schema if necessary
	 * @throws IllegalArgumentException if the name has other characters than letters,
	 * digits, underscores and dots
	 */
	public JdbcFencingGuard(DataSource dataSource, String table) {
		Assert.isTrue(table.matches("[\\w.]+"), () -> "'" + table
				+ "' can't be the name of the table of fencing tokens. Use letters, digits, '_' and '.'");
		this.dataSource = dataSource;
		this.table = table;
		this.jdbc = new JdbcTemplate(dataSource);
		this.update = "UPDATE " + table + " SET token = ? WHERE name = ? AND token <= ?";
		this.insert = "INSERT INTO " + table + " (name, token) VALUES (?, ?)";
		this.select = "SELECT name, token FROM " + table + " WHERE name = ?";
	}

	/**
	 * Create a guard whose statements have a time limit.
	 * @param timeout how long a holder waits for the transaction of another holder
	 */
	@Internal
	public JdbcFencingGuard(DataSource dataSource, String table, Duration timeout) {
		this(dataSource, table);
		this.jdbc.setQueryTimeout(Math.toIntExact(timeout.toSeconds()));
	}

	@Override
	public void admit(String lock, long fencingToken) {
		this.jdbc.execute((Connection connection) -> {
			Assert.state(isTransactional(connection),
					() -> "The fencing token of lock '" + lock + "' must be stored in the transaction that writes,"
							+ " and this DataSource has none;"
							+ " annotate the method with @Transactional or use a TransactionTemplate");
			boolean admitted = switch (kind(connection)) {
				case POSTGRESQL -> this.jdbc.update(upsertInPostgres(), lock, fencingToken) > 0;
				// an update that finds no row would lock the gap, and two of them each
				// other's insert
				case MYSQL -> upsert(lock, fencingToken) == ROW_CHANGED || token(lock, " FOR UPDATE") == fencingToken;
				// the second update succeeds if another transaction has inserted the row
				case OTHER ->
					update(lock, fencingToken) || insert(connection, lock, fencingToken) || update(lock, fencingToken);
			};
			if (!admitted) {
				throw refusal(lock, fencingToken);
			}
			return admitted;
		});
	}

	/**
	 * Admit a holder whose inner transactions may leave a trace, and keep later holders
	 * out until the transaction ends.
	 * @param shared whether others with the same token, which was {@linkplain #announce
	 * announced}, are not kept out if the database has shared row locks
	 * @return the token in the trace of an inner transaction, or {@link #NONE} if there
	 * is none or {@link #verify} has to look for it
	 * @throws StaleTokenException if a later holder has stored its token before
	 */
	long enter(String lock, long fencingToken, boolean shared) {
		if (kind() == Kind.POSTGRESQL) {
			return enterWithOneRequest(lock, fencingToken, shared);
		}
		if (!shared) {
			admit(lock, fencingToken);
		}
		else if (token(lock, kind().share) != fencingToken) {
			throw refusal(lock, fencingToken);
		}
		return NONE;
	}

	/** The second statement sees what was committed while the first one waited. */
	private long enterWithOneRequest(String lock, long token, boolean shared) {
		String first = shared ? this.select + kind().share : upsertInPostgres();
		long[] trace = { NONE };
		Boolean admitted = this.jdbc.execute(first + "; " + this.select, (PreparedStatement statement) -> {
			statement.setString(1, lock);
			if (!shared) {
				statement.setLong(2, token);
			}
			statement.setString(shared ? 2 : 3, traceOf(lock));
			boolean done = statement.execute() ? isFirst(statement, token) : statement.getUpdateCount() > 0;
			statement.getMoreResults();
			try (ResultSet rows = statement.getResultSet()) {
				trace[0] = rows.next() ? rows.getLong(2) : NONE;
			}
			return done;
		});
		if (!Boolean.TRUE.equals(admitted)) {
			throw refusal(lock, token);
		}
		return trace[0];
	}

	private static boolean isFirst(PreparedStatement statement, long token) throws SQLException {
		try (ResultSet rows = statement.getResultSet()) {
			return rows.next() && rows.getLong(2) == token;
		}
	}

	/**
	 * Return whether a transaction that can commit has lost no row that it began with.
	 */
	boolean keepsRowsUntilCommit() {
		return kind() == Kind.POSTGRESQL;
	}

	/** Return whether a transaction can go on after it has waited in vain for a row. */
	boolean survivesTimeouts() {
		return kind() != Kind.POSTGRESQL && !this.rollsBackOnTimeout;
	}

	/** Return whether several transactions may share a row. */
	boolean sharesRows() {
		return kind() != Kind.OTHER;
	}

	/**
	 * Lock the rows of a lock again, as the last statement of a transaction.
	 * @return the tokens in the row of the lock and in the trace of an inner transaction,
	 * each {@link #NONE} if there is none
	 */
	long[] verify(String lock) {
		if (kind() == Kind.OTHER) { // each database has its own way to lock what it reads
			this.jdbc.update("UPDATE " + this.table + " SET token = token WHERE name IN (?, ?)", lock, traceOf(lock));
			return tokens(lock, "", "");
		}
		return tokens(lock, this.latest, kind().share);
	}

	private long[] tokens(String lock, String before, String after) {
		long[] tokens = { NONE, NONE };
		this.jdbc.query(
				before + "SELECT token, CASE WHEN name = ? THEN 0 ELSE 1 END FROM " + this.table
						+ " WHERE name IN (?, ?)" + after,
				(RowCallbackHandler) (row) -> tokens[row.getInt(2)] = row.getLong(1), lock, lock, traceOf(lock));
		return tokens;
	}

	/**
	 * Store the token of a holder in a transaction that does nothing else, and remove the
	 * trace of an inner transaction, for whose end this method waits.
	 * @throws StaleTokenException if a later holder has stored its token before
	 */
	void announce(String lock, long fencingToken) {
		long[] tokens = tokens(lock, "", "");
		long highest = Math.max(tokens[0], tokens[1]);
		if (highest > fencingToken) {
			throw new StaleTokenException(lock, fencingToken, highest);
		}
		if (tokens[0] != fencingToken) {
			admit(lock, fencingToken);
		}
		if (tokens[1] != NONE) {
			this.jdbc.update("DELETE FROM " + this.table + " WHERE name = ? AND token <= ?", traceOf(lock),
					fencingToken);
		}
	}

	/**
	 * Store the token of a holder in a transaction that does nothing else, before an
	 * inner one begins: the row of the lock is locked by the transaction around it.
	 * @return the token in the trace, of another holder if that has not been settled
	 */
	long trace(String lock, long fencingToken) {
		long trace = token(traceOf(lock), "");
		if (trace == NONE) {
			admit(traceOf(lock), fencingToken);
			return fencingToken;
		}
		return trace;
	}

	/**
	 * Let others wait for an inner transaction, and return whether its trace is there.
	 */
	boolean join(String lock, long fencingToken) {
		return token(traceOf(lock), kind().share) == fencingToken;
	}

	/**
	 * Remove the trace as part of the transaction around the inner ones, and return
	 * whether it was seen.
	 */
	boolean removeTrace(String lock) {
		return this.jdbc.update(this.latest + "DELETE FROM " + this.table + " WHERE name = ?", traceOf(lock)) > 0;
	}

	/**
	 * Return whether a suspended transaction still has the row that its holder was
	 * admitted with. In MySQL and MariaDB, which may keep a row locked that they have
	 * undone, and whose reads would begin a snapshot without what an inner transaction is
	 * going to commit, the row is locked, and the token stored once more.
	 */
	Row keep(Connection connection, String lock, long fencingToken) {
		try {
			if (kind() != Kind.MYSQL) { // the first statement locks nothing
				return (isThere(connection, this.select, lock, fencingToken)
						&& execute(connection, this.update, fencingToken, lock, fencingToken) > 0) ? Row.KEPT
								: Row.LOST;
			}
			String read = this.latest + this.select + " FOR UPDATE";
			if (isThere(connection, read, lock, fencingToken)) {
				return Row.KEPT;
			}
			execute(connection, upsertInMysql(), lock, fencingToken);
			return isThere(connection, read, lock, fencingToken) ? Row.KEPT_AGAIN : Row.LOST;
		}
		catch (SQLException ex) {
			return Row.LOST;
		}
	}

	private boolean isThere(Connection connection, String read, String lock, long token) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(read)) {
			statement.setQueryTimeout(this.jdbc.getQueryTimeout());
			statement.setString(1, lock);
			statement.execute();
			return isFirst(statement, token);
		}
	}

	private static int execute(Connection connection, String sql, Object... values) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int i = 0; i < values.length; i++) {
				statement.setObject(i + 1, values[i]);
			}
			return statement.executeUpdate();
		}
	}

	private static String traceOf(String lock) {
		return lock + TRACE;
	}

	/** Return the token in the table, or the least number if there is no token. */
	private long token(String lock, String clause) {
		return Objects.requireNonNull(this.jdbc.query((clause.isEmpty() ? "" : this.latest) + this.select + clause,
				(ResultSet row) -> row.next() ? row.getLong(2) : NONE, lock));
	}

	private Kind kind() {
		Kind known = this.kind;
		return (known != null) ? known
				: Objects.requireNonNull(this.jdbc.execute((ConnectionCallback<Kind>) this::kind));
	}

	private Kind kind(Connection connection) throws SQLException {
		Kind known = this.kind;
		if (known == null) {
			known = switch (connection.getMetaData().getDatabaseProductName()) {
				case "PostgreSQL" -> Kind.POSTGRESQL;
				case "MySQL", "MariaDB" -> Kind.MYSQL;
				default -> Kind.OTHER;
			};
			if (known == Kind.MYSQL) {
				readVariables(connection);
			}
			this.kind = known;
		}
		return known;
	}

	private void readVariables(Connection connection) throws SQLException {
		try (Statement statement = connection.createStatement();
				ResultSet rows = statement.executeQuery("SHOW VARIABLES WHERE Variable_name IN"
						+ " ('innodb_snapshot_isolation', 'innodb_rollback_on_timeout')")) {
			while (rows.next()) {
				if (rows.getString(1).equals("innodb_snapshot_isolation")) {
					this.latest = "SET STATEMENT innodb_snapshot_isolation = OFF FOR ";
				}
				else {
					this.rollsBackOnTimeout = rows.getString(2).equals("ON");
				}
			}
		}
	}

	private boolean isTransactional(Connection connection) {
		return DataSourceUtils.isConnectionTransactional(DataSourceUtils.getTargetConnection(connection),
				this.dataSource);
	}

	private String upsertInPostgres() {
		return this.insert + " ON CONFLICT (name) DO UPDATE SET token = EXCLUDED.token WHERE " + this.table
				+ ".token <= EXCLUDED.token";
	}

	private int upsert(String lock, long token) {
		return this.jdbc.update(upsertInMysql(), lock, token);
	}

	private String upsertInMysql() {
		return this.insert + " ON DUPLICATE KEY UPDATE token = GREATEST(token, VALUES(token))";
	}

	private boolean update(String lock, long token) {
		return this.jdbc.update(this.update, token, lock, token) > 0;
	}

	/**
	 * Insert a token, with a savepoint because some databases abort a transaction whose
	 * statement fails.
	 */
	private boolean insert(Connection connection, String lock, long token) throws SQLException {
		Savepoint before = connection.setSavepoint();
		try {
			return this.jdbc.update(this.insert, lock, token) > 0;
		}
		catch (DuplicateKeyException ex) {
			connection.rollback(before);
			return false;
		}
	}

	/** The snapshot of a transaction of MySQL or MariaDB may not have the row. */
	private RuntimeException refusal(String lock, long token) {
		String read = (kind() == Kind.MYSQL) ? this.latest + this.select + Kind.MYSQL.share : this.select;
		return Objects.requireNonNull(this.jdbc.query(read, (ResultSet row) -> {
			Assert.state(row.next(), () -> "The fencing token of lock '" + lock + "' can be neither stored nor read");
			String name = row.getString(1);
			return isAnother(name, lock) ? new IllegalStateException("The table of fencing tokens confuses lock '"
					+ lock + "' with lock '" + name
					+ "': its column 'name' must compare names exactly, in MySQL and MariaDB as" + " VARBINARY(1020)")
					: new StaleTokenException(lock, token, row.getLong(2));
		}, lock));
	}

	/**
	 * Return whether a row belongs to another name. Drivers may decode non-ASCII letters
	 * of a binary column in another encoding.
	 */
	private static boolean isAnother(String name, String lock) {
		return !name.equals(lock) && name.chars().allMatch((letter) -> letter < 128);
	}

	/** What a suspended transaction has. */
	enum Row {

		KEPT,

		/** Not for some time, in which no later holder was admitted. */
		KEPT_AGAIN,

		LOST

	}

	/** The databases with their own statements. */
	private enum Kind {

		POSTGRESQL(" FOR SHARE"),

		/** MySQL and MariaDB. */
		MYSQL(" LOCK IN SHARE MODE"),

		OTHER(" FOR UPDATE");

		private final String share;

		Kind(String share) {
			this.share = share;
		}

	}

}
