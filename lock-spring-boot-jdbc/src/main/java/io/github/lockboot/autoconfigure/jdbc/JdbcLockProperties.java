package io.github.lockboot.autoconfigure.jdbc;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.jdbc.JdbcLockSettings;

/**
 * Configuration properties of locks in a relational database.
 *
 * @param dataSource Bean name of a data source that opens connections for the locks. By
 * default, connections have the settings of the application's data source.
 * @param table Name of the table of locks, including the schema if necessary.
 * @param statementTimeout Time to wait for the reply to one statement.
 * @param initializeSchema When to create the tables at startup, unless they exist.
 * @param strategy How an exclusive lock is acquired.
 * @param commitFence Whether a transaction on the database of the locks commits only if
 * its thread still owns all locks that it holds.
 * @param liquibase Whether a migration by Liquibase has a lease, which ends with the
 * process, whatever the backend of the locks is.
 * @since 1.0.0
 */
@ConfigurationProperties("lock.jdbc")
public record JdbcLockProperties(@Nullable String dataSource, @DefaultValue("distributed_lock") String table,
		@DefaultValue("3s") Duration statementTimeout,
		@DefaultValue("embedded") LockProperties.InitializeSchema initializeSchema,
		@DefaultValue("optimistic") JdbcLockSettings.Strategy strategy, @DefaultValue("auto") CommitFence commitFence,
		boolean liquibase) implements Validator {

	static JdbcLockProperties bind(Binder binder) {
		return binder.bindOrCreate("lock.jdbc", JdbcLockProperties.class);
	}

	@Override
	public boolean supports(Class<?> type) {
		return JdbcLockProperties.class == type;
	}

	@Override
	public void validate(Object target, Errors errors) {
		JdbcLockProperties properties = (JdbcLockProperties) target;
		PropertyErrors rejected = new PropertyErrors(errors);
		JdbcLockSettings valid = JdbcLockSettings.defaults();
		rejected.check("table", () -> valid.withTable(properties.table));
		rejected.check("statementTimeout", () -> valid.withStatementTimeout(properties.statementTimeout));
	}

	/**
	 * Whether the last statement of a transaction checks the locks.
	 */
	public enum CommitFence {

		/**
		 * In transactions on the database of the locks.
		 */
		AUTO,

		/**
		 * In no transaction.
		 */
		OFF

	}

}
