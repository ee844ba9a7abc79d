package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;

import javax.sql.DataSource;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.TestDatabase;

/**
 * Two instances of an application that lock in a database, and a counter there under the
 * name of a lock.
 */
@Timeout(120)
abstract class TwoInstancesOnADatabase {

	final TestDatabase database;

	final DataSource dataSource;

	final JdbcClient sql;

	final JdbcTransactionManager transactions;

	final TransactionTemplate transaction;

	final JdbcLockTemplate locks;

	final JdbcLockTemplate otherLocks;

	final ExecutorService threads = Executors.newCachedThreadPool();

	final String name = "test:" + UUID.randomUUID();

	final LockRequest once = LockRequest.of(this.name).waitTime(Duration.ZERO);

	TwoInstancesOnADatabase(TestDatabase database) {
		this(database, (settings) -> settings, (settings) -> settings);
	}

	TwoInstancesOnADatabase(TestDatabase database, UnaryOperator<JdbcLockSettings> changes,
			UnaryOperator<JdbcLockSettings> otherChanges) {
		this.database = database;
		this.dataSource = database.dataSource();
		this.sql = JdbcClient.create(this.dataSource);
		this.transactions = new JdbcTransactionManager(this.dataSource);
		this.transaction = new TransactionTemplate(this.transactions);
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withLockDefaults(LockDefaults.defaults().withApplication(""))
			.withCreateTables(true);
		this.locks = new JdbcLockTemplate(this.dataSource, changes.apply(settings), List.of());
		this.otherLocks = new JdbcLockTemplate(this.dataSource, otherChanges.apply(settings), List.of());
		this.sql.sql("CREATE TABLE IF NOT EXISTS counter (name VARCHAR(100) PRIMARY KEY, value_ INT NOT NULL)")
			.update();
		this.sql.sql("INSERT INTO counter VALUES (?, 0)").param(this.name).update();
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.locks.close();
		this.otherLocks.close();
	}

	/** The holder does not learn that. */
	void endLease() {
		setExpiry("0");
	}

	void setExpiry(String value) {
		CompletableFuture
			.runAsync(() -> this.sql.sql("UPDATE distributed_lock SET expires_at = " + value + " WHERE name = ?")
				.param(column("lock:" + this.name))
				.update(), this.threads)
			.join();
	}

	/** Return the name of a row, as the column of the database has it. */
	Object column(String row) {
		return (this.database == TestDatabase.MARIADB) ? row.getBytes() : row;
	}

	void write(int value) {
		this.sql.sql("UPDATE counter SET value_ = ? WHERE name = ?").params(value, this.name).update();
	}

	int counter() {
		return this.sql.sql("SELECT value_ FROM counter WHERE name = ?").param(this.name).query(Integer.class).single();
	}

}
