package io.github.lockboot.jdbc;

import java.time.Duration;

import org.springframework.util.Assert;

import io.github.lockboot.LockDefaults;

/**
 * How a {@link JdbcLockTemplate} uses its database.
 *
 * @param keyPrefix prefix of all names in the table
 * @param lockDefaults defaults for requests that do not set a value
 * @param table name of the table, including the schema if necessary: letters, digits,
 * underscores and dots. A second table with the suffix {@code _holder} contains the
 * holders of shared locks
 * @param statementTimeout how long to wait for a reply of the database, at least 1 ms
 * @param createTables whether to create the tables unless they exist
 * @param strategy how an exclusive lock is acquired
 * @since 1.0.0
 */
public record JdbcLockSettings(String keyPrefix, LockDefaults lockDefaults, String table, Duration statementTimeout,
		boolean createTables, Strategy strategy) {

	/**
	 * Create settings.
	 * @throws IllegalArgumentException if the table or the time is invalid
	 */
	public JdbcLockSettings {
		Assert.isTrue(table.matches("[\\w.]+"),
				() -> "'" + table + "' can't be the name of the table of locks. Use letters, digits, '_' and '.'");
		Assert.isTrue(statementTimeout.toMillis() > 0, "The statement timeout must be at least 1 ms");
	}

	/**
	 * Return the defaults of the library: prefix {@code lock:}, table
	 * {@code distributed_lock}, which must exist, a timeout of 3 seconds, the optimistic
	 * strategy, and {@link LockDefaults#defaults()}.
	 */
	public static JdbcLockSettings defaults() {
		return new JdbcLockSettings("lock:", LockDefaults.defaults(), "distributed_lock", Duration.ofSeconds(3), false,
				Strategy.OPTIMISTIC);
	}

	/**
	 * Return these settings with another prefix.
	 * @param keyPrefix prefix of all names in the table
	 */
	public JdbcLockSettings withKeyPrefix(String keyPrefix) {
		return new JdbcLockSettings(keyPrefix, this.lockDefaults, this.table, this.statementTimeout, this.createTables,
				this.strategy);
	}

	/**
	 * Return these settings with other defaults.
	 * @param lockDefaults defaults for requests that do not set a value
	 */
	public JdbcLockSettings withLockDefaults(LockDefaults lockDefaults) {
		return new JdbcLockSettings(this.keyPrefix, lockDefaults, this.table, this.statementTimeout, this.createTables,
				this.strategy);
	}

	/**
	 * Return these settings with another table.
	 * @param table name of the table
	 */
	public JdbcLockSettings withTable(String table) {
		return new JdbcLockSettings(this.keyPrefix, this.lockDefaults, table, this.statementTimeout, this.createTables,
				this.strategy);
	}

	/**
	 * Return these settings with another timeout.
	 * @param statementTimeout how long to wait for a reply of the database
	 */
	public JdbcLockSettings withStatementTimeout(Duration statementTimeout) {
		return new JdbcLockSettings(this.keyPrefix, this.lockDefaults, this.table, statementTimeout, this.createTables,
				this.strategy);
	}

	/**
	 * Return these settings with or without the creation of the tables.
	 * @param createTables whether to create the tables unless they exist
	 */
	public JdbcLockSettings withCreateTables(boolean createTables) {
		return new JdbcLockSettings(this.keyPrefix, this.lockDefaults, this.table, this.statementTimeout, createTables,
				this.strategy);
	}

	/**
	 * Return these settings with another strategy.
	 * @param strategy how an exclusive lock is acquired
	 */
	public JdbcLockSettings withStrategy(Strategy strategy) {
		return new JdbcLockSettings(this.keyPrefix, this.lockDefaults, this.table, this.statementTimeout,
				this.createTables, strategy);
	}

	/**
	 * How an exclusive lock is acquired. Both strategies exclude each other, so that
	 * instances with either can use one table.
	 */
	public enum Strategy {

		/**
		 * By one statement that changes the row if the lock is free.
		 */
		OPTIMISTIC,

		/**
		 * By a transaction that locks the row, reads it and changes it.
		 */
		PESSIMISTIC

	}

}
