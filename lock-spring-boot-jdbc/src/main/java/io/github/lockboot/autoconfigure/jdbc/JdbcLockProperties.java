package io.github.lockboot.autoconfigure.jdbc;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.validation.Errors;
import org.springframework.validation.Validator;

import io.github.lockboot.autoconfigure.LockProperties;
import io.github.lockboot.autoconfigure.PropertyErrors;
import io.github.lockboot.jdbc.JdbcLockSettings;

/**
 * Configuration properties of locks in a relational database.
 *
 * @since 1.0.0
 */
@ConfigurationProperties("lock.jdbc")
public class JdbcLockProperties implements Validator {

	/**
	 * Bean name of a data source that opens connections for the locks. By default,
	 * connections have the settings of the application's data source.
	 */
	private @Nullable String dataSource;

	/**
	 * Name of the table of locks, including the schema if necessary.
	 */
	private String table = "distributed_lock";

	/**
	 * Time to wait for the reply to one statement.
	 */
	private Duration statementTimeout = Duration.ofSeconds(3);

	/**
	 * When to create the tables at startup, unless they exist.
	 */
	private LockProperties.InitializeSchema initializeSchema = LockProperties.InitializeSchema.EMBEDDED;

	/**
	 * How an exclusive lock is acquired.
	 */
	private JdbcLockSettings.Strategy strategy = JdbcLockSettings.Strategy.OPTIMISTIC;

	/**
	 * Whether a transaction on the database of the locks commits only if its thread still
	 * owns all locks that it holds.
	 */
	private CommitFence commitFence = CommitFence.AUTO;

	public @Nullable String getDataSource() {
		return this.dataSource;
	}

	public void setDataSource(@Nullable String dataSource) {
		this.dataSource = dataSource;
	}

	public String getTable() {
		return this.table;
	}

	public void setTable(String table) {
		this.table = table;
	}

	public Duration getStatementTimeout() {
		return this.statementTimeout;
	}

	public void setStatementTimeout(Duration statementTimeout) {
		this.statementTimeout = statementTimeout;
	}

	public LockProperties.InitializeSchema getInitializeSchema() {
		return this.initializeSchema;
	}

	public void setInitializeSchema(LockProperties.InitializeSchema initializeSchema) {
		this.initializeSchema = initializeSchema;
	}

	public JdbcLockSettings.Strategy getStrategy() {
		return this.strategy;
	}

	public void setStrategy(JdbcLockSettings.Strategy strategy) {
		this.strategy = strategy;
	}

	public CommitFence getCommitFence() {
		return this.commitFence;
	}

	public void setCommitFence(CommitFence commitFence) {
		this.commitFence = commitFence;
	}

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
		rejected.check("table", () -> valid.withTable(properties.getTable()));
		rejected.check("statementTimeout", () -> valid.withStatementTimeout(properties.getStatementTimeout()));
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
