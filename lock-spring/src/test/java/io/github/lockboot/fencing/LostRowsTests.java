package io.github.lockboot.fencing;

import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.function.BiConsumer;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockLostException;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transactions whose row of the fence the database unlocks before their end.
 */
@Tag("long")
@ParameterizedClass
@EnumSource
class LostRowsTests extends TwoHolders {

	private final Disturbance disturbance = new Disturbance(this.dataSource, this.database.dataSource());

	private @Nullable CompletableFuture<Void> next;

	LostRowsTests(TestDatabase database) {
		super(database);
		this.disturbance.createTable("empty");
	}

	@ParameterizedTest
	@EnumSource
	void aTransactionInsideIsRefusedAfterALaterHolder(Loss loss) {
		loss.happens(this.database);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
				loss.happen(this.disturbance, this.lock);
				CompletableFuture.runAsync(() -> locked(this.later, "later"), this.threads).join();
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> requiringNew(this.transaction)
					.executeWithoutResult((inner) -> this.events.add("former")));
				this.events.add("refused");
				throw new IllegalStateException();
			})));
		assertThat(this.events).containsExactly("later", "refused");
	}

	@ParameterizedTest
	@EnumSource
	void aTransactionInsideWorksIfThereIsNoLaterHolder(Loss loss) {
		loss.happens(this.database);
		this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
			loss.happen(this.disturbance, this.lock);
			requiringNew(this.transaction).executeWithoutResult((inner) -> this.events.add("inner"));
			outer.setRollbackOnly();
		}));
		locked(this.later, "later");
		assertThat(this.events).containsExactly("inner", "later");
	}

	/** As for PostgreSQL, see the documentation. */
	@ParameterizedTest
	@EnumSource
	void aTransactionDoesNotCommitAfterALaterHolder(Loss loss) {
		loss.happens(this.database);
		Assumptions.assumeTrue(this.database != TestDatabase.POSTGRESQL, "it accepts nothing more, or sees nothing");
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
				loss.happen(this.disturbance, this.lock);
				CompletableFuture.runAsync(() -> locked(this.later, "later"), this.threads).join();
			})));
		assertThat(this.events).containsExactly("later");
	}

	@ParameterizedTest
	@EnumSource(names = { "DEADLOCK", "ROLLBACK" })
	void aTransactionThatWasRolledBackDoesNotCommitWhatFollowed(Loss loss) {
		loss.happens(this.database);
		Assumptions.assumeTrue(this.database != TestDatabase.POSTGRESQL, "it accepts nothing more, or sees nothing");
		assertThatExceptionOfType(CannotAcquireLockException.class)
			.isThrownBy(() -> this.former.execute(this.lock,
					() -> this.transaction.executeWithoutResult((status) -> loss.happen(this.disturbance, this.lock))))
			.withMessageContaining("Repeat the transaction");
	}

	@Test
	void aTransactionInsideOneThatTheDatabaseEndedIsRefusedAfterALaterHolder() {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
				requiringNew(this.transaction).executeWithoutResult((inner) -> this.events.add("inner"));
				this.disturbance.kill(this.disturbance.session());
				CompletableFuture.runAsync(() -> repeatedOnce(this::commitLater), this.threads).join();
				this.events.add("later");
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> requiringNew(this.transaction)
					.executeWithoutResult((inner) -> this.events.add("former")));
			})));
		assertThat(this.events).containsExactly("inner", "later");
	}

	/** Holders that come before and after it. */
	@Test
	void noOtherHolderCommitsWhileATransactionInsideOneThatTheDatabaseEndedGoesOn() {
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
				int session = this.disturbance.session();
				requiringNew(this.transaction).executeWithoutResult((inner) -> {
					this.disturbance.kill(session);
					CompletableFuture<Void> next = CompletableFuture
						.runAsync(() -> repeatedOnce(this::commitLater), this.threads)
						.thenRun(() -> this.events.add("later"));
					Awaitility.await().during(Duration.ofMillis(500)).until(() -> !next.isDone());
					this.events.add("inner");
					this.next = next;
				});
				assertThat(Objects.requireNonNull(this.next)).succeedsWithin(Duration.ofSeconds(20));
			})));
		assertThat(this.events).containsExactly("inner", "later");
	}

	private void commitLater() {
		this.later.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
		}));
	}

	/** It repeats the transaction once, as the message says. */
	private void repeatedOnce(Runnable section) {
		try {
			section.run();
		}
		catch (CannotAcquireLockException ex) {
			assertThat(ex).hasMessageContaining("repeat this one");
			section.run();
		}
	}

	@Test
	void aTransactionThatAcquiredTheLockAfterASavepointDoesNotCommitAfterTheRollbackToIt() {
		Lock view = this.former.asLock(this.lock);
		assertThatExceptionOfType(CannotAcquireLockException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				Object savepoint = status.createSavepoint();
				view.lock();
				status.rollbackToSavepoint(savepoint);
			}))
			.withMessageContaining("Repeat the transaction");
		view.unlock();
	}

	/**
	 * MariaDB unlocks a row only if the savepoint is the beginning of the transaction.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aTransactionInsideOneThatWasRolledBackToASavepointWorks(boolean first) {
		Lock view = this.former.asLock(this.lock);
		assertThatExceptionOfType(CannotAcquireLockException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				if (!first) {
					this.disturbance.execute("DELETE FROM lock_fence WHERE name = 'none'");
				}
				Object savepoint = status.createSavepoint();
				view.lock();
				status.rollbackToSavepoint(savepoint);
				requiringNew(this.transaction).executeWithoutResult((inner) -> this.events.add("inner"));
			}))
			.withMessageContaining("Repeat the transaction");
		view.unlock();
		assertThat(this.events).containsExactly("inner");
	}

	@Test
	void aTransactionThatReleasesTheLockAfterTheRollbackToASavepointDoesNotCommitAfterALaterHolder() {
		assertThatExceptionOfType(CannotAcquireLockException.class)
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
				Object savepoint = status.createSavepoint();
				this.former.execute(this.lock, () -> status.rollbackToSavepoint(savepoint));
				CompletableFuture.runAsync(() -> locked(this.later, "later"), this.threads).join();
			}))
			.withMessageContaining("Repeat the transaction");
		assertThat(this.events).containsExactly("later");
	}

	/** What it has done under the lock is undone. */
	@Test
	void aTransactionCommitsAfterTheRollbackToASavepointBeforeTheLock() {
		this.transaction.executeWithoutResult((status) -> {
			Object savepoint = status.createSavepoint();
			this.former.execute(this.lock, () -> this.events.add("former"));
			status.rollbackToSavepoint(savepoint);
		});
		locked(this.later, "later");
		assertThat(this.events).containsExactly("former", "later");
	}

	@Test
	void aTimeoutThatUndoesTheTransactionIsNotRepeatedInside() throws IOException, SQLException {
		Assumptions.assumeTrue(this.database == TestDatabase.MARIADB);
		try (DatabaseServer server = DatabaseServer.started(DatabaseServer.Kind.MARIADB,
				"--innodb-rollback-on-timeout=ON", "--innodb-lock-wait-timeout=1");
				Connection rival = server.administrator().getConnection()) {
			DataSource source = server.administrator();
			TransactionTemplate undone = fenced(source);
			JdbcClient.create(source).sql("CREATE TABLE data (name INT)").update();
			this.former.execute(this.lock, () -> undone.executeWithoutResult((status) -> {
			}));
			rival.setTransactionIsolation(Connection.TRANSACTION_READ_UNCOMMITTED);
			rival.setAutoCommit(false);
			JdbcClient dirty = JdbcClient.create(new SingleConnectionDataSource(rival, true));
			dirty.sql("SELECT name FROM lock_fence FOR UPDATE").query().listOfRows();
			CompletableFuture<Void> transaction = CompletableFuture
				.runAsync(() -> undone.executeWithoutResult((status) -> {
					JdbcClient.create(source).sql("INSERT INTO data VALUES (1)").update();
					this.former.execute(this.lock, () -> this.events.add("former"));
				}), this.threads);
			List.of(1, 0)
				.forEach((rows) -> Awaitility.await()
					.until(() -> dirty.sql("SELECT name FROM data").query().listOfRows().size() == rows));
			rival.commit();
			assertThat(transaction).failsWithin(Duration.ofSeconds(20))
				.withThrowableThat()
				.havingCause()
				.isInstanceOf(CannotAcquireLockException.class);
			assertThat(this.events).isEmpty();
		}
	}

	/** What unlocks the rows of a transaction, in some databases. */
	enum Loss {

		FAILED_STATEMENT(EnumSet.of(TestDatabase.POSTGRESQL), (present, lock) -> present.failStatement()),

		STATEMENT_TIMEOUT(EnumSet.of(TestDatabase.POSTGRESQL), (present, lock) -> {
			present.execute("SET LOCAL statement_timeout = 10");
			present.fail("SELECT pg_sleep(1)");
		}),

		DEADLOCK(EnumSet.complementOf(EnumSet.of(TestDatabase.H2)), (present, lock) -> present.deadlock()),

		ROLLBACK(EnumSet.allOf(TestDatabase.class), (present, lock) -> present.execute("ROLLBACK")),

		COMMIT(EnumSet.allOf(TestDatabase.class), (present, lock) -> present.execute("COMMIT")),

		CREATED_TABLE(EnumSet.of(TestDatabase.MARIADB, TestDatabase.H2),
				(present, lock) -> present.execute("CREATE TABLE created" + Math.abs(lock.hashCode()) + " (name INT)")),

		TRUNCATED_TABLE(EnumSet.of(TestDatabase.MARIADB, TestDatabase.H2),
				(present, lock) -> present.execute("TRUNCATE TABLE empty")),

		STARTED_TRANSACTION(EnumSet.of(TestDatabase.MARIADB), (present, lock) -> present.execute("START TRANSACTION")),

		ANALYZED_TABLE(EnumSet.of(TestDatabase.MARIADB), (present, lock) -> present.execute("ANALYZE TABLE empty"));

		private final Set<TestDatabase> databases;

		private final BiConsumer<Disturbance, String> event;

		Loss(Set<TestDatabase> databases, BiConsumer<Disturbance, String> event) {
			this.databases = databases;
			this.event = event;
		}

		void happens(TestDatabase database) {
			Assumptions.assumeTrue(this.databases.contains(database), database + " does not unlock rows then");
		}

		void happen(Disturbance present, String lock) {
			this.event.accept(present, lock);
		}

	}

}
