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
 * The names of locks must be compared as they are. MySQL and MariaDB by default take
 * {@code order:a} for {@code order:A}, and leave out spaces at the end: there the column
 * is a {@code VARBINARY(1020)}. A table that takes one lock for another is an
 * {@link IllegalStateException} as soon as that refuses a holder.
 * <p>
 * It takes part in Spring's transaction. In plain SQL without a dialect: any database
 * with transactions, savepoints and row locks will do. Thread-safe.
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
	 * @param dataSource where the data is
	 */
	public JdbcFencingGuard(DataSource dataSource) {
		this(dataSource, "lock_fence");
	}

	/**
	 * Create a guard.
	 * @param dataSource where the data is
	 * @param table name of the table that keeps the tokens, with its schema if need be
	 * @throws IllegalArgumentException if that is not the name of a table
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
					() -> "The fencing token of lock '" + lock + "' has to be left in the transaction that writes,"
							+ " and there is none of this DataSource;"
							+ " annotate the method with @Transactional or use a TransactionTemplate");
			// the second time for one whom another has overtaken in inserting
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

	/** Some databases end a transaction whose statement fails: hence the savepoint. */
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
			Assert.state(row.next(), () -> "The fencing token of lock '" + lock + "' can be neither left nor read");
			String name = row.getString(1);
			return isAnother(name, lock) ? new IllegalStateException("The table of fencing tokens takes lock '" + lock
					+ "' for lock '" + name + "': let its column 'name' compare names as they are, as a VARBINARY(1020)"
					+ " in MySQL and MariaDB") : new StaleTokenException(lock, token, row.getLong(2));
		}, lock));
	}

	/** Drivers may read other letters of a binary column in another encoding. */
	private static boolean isAnother(String name, String lock) {
		return !name.equals(lock) && name.chars().allMatch((letter) -> letter < 128);
	}

}
