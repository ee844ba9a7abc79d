package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.time.Duration;
import java.util.Objects;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
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

	private final DataSource dataSource;

	private final JdbcTemplate jdbc;

	private final String table;

	private final String update;

	private final String insert;

	private final String select;

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
				+ "' can't be the name of the table of fencing tokens; use letters, digits, '_' and '.'");
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
				case POSTGRESQL ->
					this.jdbc.update(this.insert + " ON CONFLICT (name) DO UPDATE SET token = EXCLUDED.token"
							+ " WHERE " + this.table + ".token <= EXCLUDED.token", lock, fencingToken) > 0;
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
	 * Check that no holder later than this holder of a shared lock was admitted, and keep
	 * later holders out until the transaction ends. Other holders with the same token are
	 * not kept out if the database has shared row locks. The token must have been
	 * {@linkplain #announce announced}.
	 * @throws StaleTokenException if a later holder has stored its token before
	 */
	@Internal
	public void share(String lock, long fencingToken) {
		Kind known = this.jdbc.execute((ConnectionCallback<Kind>) this::kind);
		if (token(lock, (known != null) ? known.share : Kind.OTHER.share) != fencingToken) {
			throw refusal(lock, fencingToken);
		}
	}

	/**
	 * Store the token of a holder in a transaction that does nothing else, unless it is
	 * stored already.
	 * @throws StaleTokenException if a later holder has stored its token before
	 */
	@Internal
	public void announce(String lock, long fencingToken) {
		if (token(lock, "") != fencingToken) {
			admit(lock, fencingToken);
		}
	}

	/** Return the token in the table, or the least number if there is no token. */
	private long token(String lock, String clause) {
		return Objects.requireNonNull(this.jdbc.query(this.select + clause,
				(ResultSet row) -> row.next() ? row.getLong(2) : Long.MIN_VALUE, lock));
	}

	private Kind kind(Connection connection) throws SQLException {
		Kind known = this.kind;
		if (known == null) {
			known = switch (connection.getMetaData().getDatabaseProductName()) {
				case "PostgreSQL" -> Kind.POSTGRESQL;
				case "MySQL", "MariaDB" -> Kind.MYSQL;
				default -> Kind.OTHER;
			};
			this.kind = known;
		}
		return known;
	}

	private boolean isTransactional(Connection connection) {
		return DataSourceUtils.isConnectionTransactional(DataSourceUtils.getTargetConnection(connection),
				this.dataSource);
	}

	private int upsert(String lock, long token) {
		return this.jdbc.update(this.insert + " ON DUPLICATE KEY UPDATE token = GREATEST(token, VALUES(token))", lock,
				token);
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

	private RuntimeException refusal(String lock, long token) {
		return Objects.requireNonNull(this.jdbc.query(this.select, (ResultSet row) -> {
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
