package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Objects;

import javax.sql.DataSource;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.util.Assert;

import io.github.lockboot.FencingGuard;
import io.github.lockboot.StaleTokenException;

/**
 * A {@link FencingGuard} that keeps the tokens in a table of the database whose rows the
 * locks guard:
 *
 * <pre>
 * CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)
 * </pre>
 *
 * The column must compare names exactly. MySQL and MariaDB by default ignore case and
 * trailing spaces: use {@code VARBINARY(1020)} there. If the table confuses two names and
 * would refuse a holder for that reason, an {@link IllegalStateException} is thrown.
 * <p>
 * The guard takes part in Spring's transaction. It uses plain SQL and works with any
 * database that has transactions, savepoints and row locks. Thread-safe.
 *
 * @since 1.0.0
 */
public final class JdbcFencingGuard implements FencingGuard {

	private final DataSource dataSource;

	private final JdbcOperations jdbc;

	private final String update;

	private final String insert;

	private final String select;

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
	 * @param table name of the table of the tokens, with its schema if necessary
	 * @throws IllegalArgumentException if the name has other characters than letters,
	 * digits, underscores and dots
	 */
	public JdbcFencingGuard(DataSource dataSource, String table) {
		Assert.isTrue(table.matches("[\\w.]+"), () -> "'" + table
				+ "' can't be the name of the table of fencing tokens; use letters, digits, '_' and '.'");
		this.dataSource = dataSource;
		this.jdbc = new JdbcTemplate(dataSource);
		this.update = "UPDATE " + table + " SET token = ? WHERE name = ? AND token <= ?";
		this.insert = "INSERT INTO " + table + " (name, token) VALUES (?, ?)";
		this.select = "SELECT name, token FROM " + table + " WHERE name = ?";
	}

	@Override
	public void admit(String lock, long fencingToken) {
		this.jdbc.execute((Connection connection) -> {
			Assert.state(isTransactional(connection),
					() -> "The fencing token of lock '" + lock + "' must be stored in the transaction that writes,"
							+ " and this DataSource has none;"
							+ " annotate the method with @Transactional or use a TransactionTemplate");
			// the second update succeeds if another transaction has inserted the row
			boolean admitted = update(lock, fencingToken) || insert(connection, lock, fencingToken)
					|| update(lock, fencingToken);
			if (!admitted) {
				throw refusal(lock, fencingToken);
			}
			return admitted;
		});
	}

	private boolean isTransactional(Connection connection) {
		return DataSourceUtils.isConnectionTransactional(DataSourceUtils.getTargetConnection(connection),
				this.dataSource);
	}

	private boolean update(String lock, long token) {
		return this.jdbc.update(this.update, token, lock, token) > 0;
	}

	/** Some databases abort a transaction whose statement fails: hence the savepoint. */
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

	/** Drivers may decode other letters of a binary column in another encoding. */
	private static boolean isAnother(String name, String lock) {
		return !name.equals(lock) && name.chars().allMatch((letter) -> letter < 128);
	}

}
