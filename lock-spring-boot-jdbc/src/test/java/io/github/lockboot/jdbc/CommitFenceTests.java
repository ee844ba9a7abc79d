package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.PermissionDeniedDataAccessException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.transaction.CommitFence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Transactions of holders who may have lost their lock without knowing it: the lease of a
 * lock is ended in the table.
 */
@Tag("long")
@ParameterizedClass
@EnumSource
class CommitFenceTests extends TwoInstancesOnADatabase {

	private static final int COMMITS = 40;

	private final LockRequest lock = this.once.waitTime(Duration.ofSeconds(30));

	CommitFenceTests(TestDatabase database) {
		super(database, (settings) -> settings,
				(settings) -> settings.withStrategy(JdbcLockSettings.Strategy.PESSIMISTIC));
		CommitFence fence = new CommitFence();
		for (Object bean : List.of(this.locks, this.otherLocks, this.transactions)) {
			fence.postProcessBeforeInitialization(bean, "bean");
		}
	}

	@Test
	void aHolderWhoseTransactionHasATimeoutCommits() {
		this.transaction.setTimeout(60);
		this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> write(1)));
		this.locks.execute(this.lock.shared(), () -> this.transaction.executeWithoutResult((status) -> write(2)));
		assertThat(counter()).isEqualTo(2);
	}

	@Test
	void aHolderThatWasOvertakenDoesNotCommit() {
		for (LockRequest request : List.of(this.lock, this.lock.shared())) {
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.locks.execute(request, () -> this.transaction.executeWithoutResult((status) -> {
					write(1);
					endLease();
					this.otherLocks.acquire(this.lock).close();
				})))
				.withMessageContaining("the store no longer knows it as the owner");
		}
		assertThat(counter()).isZero();
	}

	/** The first request got no reply, and was repeated with success. */
	@Test
	void aHolderThatWasOvertakenDoesNotCommitEvenIfALateRequestOfItsOwnTookTheLockAgain() {
		MonotonicClock clock = new SystemClock("lock-timer");
		JdbcLockStore store = TestStores.store(this.database, clock);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
				write(1);
				String owner = Objects.requireNonNull(this.locks.inspect(this.lock.name()).owner());
				endLease();
				this.otherLocks.acquire(this.lock).close();
				store.acquire(new LockAttempt(this.lock.name(), owner, 30_000, 1), 0, Queueing.NO, 0)
					.toCompletableFuture()
					.join();
				assertThat(this.locks.inspect(this.lock.name()).owner()).isEqualTo(owner);
			})));
		assertThat(counter()).isZero();
		store.close();
		clock.close();
	}

	@Test
	void theNextHolderWaitsForACommitThatHasBegun() throws Exception {
		List<Future<Integer>> next = new ArrayList<>();
		this.transactions.addListener(new TransactionExecutionListener() {

			@Override
			public void beforeCommit(TransactionExecution transaction) {
				next.add(CommitFenceTests.this.threads.submit(() -> CommitFenceTests.this.otherLocks
					.execute(CommitFenceTests.this.lock, CommitFenceTests.this::counter)));
				Awaitility.await()
					.during(Duration.ofMillis(300))
					.atMost(Duration.ofSeconds(10))
					.until(() -> !next.get(0).isDone());
			}

		});
		this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
			write(1);
			endLease();
		}));
		assertThat(next.get(0).get()).isEqualTo(1);
	}

	@Test
	void ofHoldersWhoLoseTheirLeasesExactlyOneCommitsAtATime() throws Exception {
		AtomicInteger commits = new AtomicInteger();
		AtomicBoolean done = new AtomicBoolean();
		List<Future<?>> callers = new ArrayList<>();
		for (JdbcLockTemplate template : List.of(this.locks, this.otherLocks, this.locks, this.otherLocks)) {
			callers.add(this.threads.submit(() -> {
				while (commits.get() < COMMITS) {
					if (increment(template)) {
						commits.incrementAndGet();
					}
				}
			}));
		}
		Future<?> saboteur = this.threads.submit(() -> {
			while (!done.get()) {
				endLease();
			}
		});
		for (Future<?> caller : callers) {
			caller.get();
		}
		done.set(true);
		saboteur.get();
		assertThat(counter()).isEqualTo(commits.get());
	}

	private boolean increment(JdbcLockTemplate template) {
		try {
			template.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
				int value = counter();
				Thread.yield();
				write(value + 1);
			}));
			return true;
		}
		catch (LockException | ConcurrencyFailureException ex) {
			return false;
		}
	}

	@Test
	void aReadOnlyTransactionIsNotChecked() {
		this.transaction.setReadOnly(true);
		this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
			endLease();
			this.otherLocks.acquire(this.lock).close();
		}));
	}

	@Test
	void aTransactionWithAnotherSchemaFindsTheTable() {
		this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
			write(1);
			this.sql.sql(switch (this.database) {
				case H2 -> "SET SCHEMA INFORMATION_SCHEMA";
				case MARIADB -> "USE information_schema";
				case POSTGRESQL -> "SET LOCAL search_path TO pg_catalog";
			}).update();
		}));
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void aRepeatableReadOfAnOvertakenHolderDoesNotCommit() {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.locks.execute(this.lock, () -> this.transaction.executeWithoutResult((status) -> {
				write(counter() + 1);
				endLease();
				this.otherLocks.acquire(this.lock).close();
			})))
			.matches((ex) -> ex instanceof LockLostException || ex instanceof ConcurrencyFailureException);
		assertThat(counter()).isZero();
	}

	@Test
	void aRepeatableReadThatBeganBeforeARenewalDoesNotCommitInPostgres() {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		boolean committed = this.locks.execute(this.lock, () -> {
			try {
				this.transaction.executeWithoutResult((status) -> {
					write(counter() + 1);
					setExpiry("expires_at + 1");
				});
				return true;
			}
			catch (ConcurrencyFailureException ex) {
				return false;
			}
		});
		assertThat(committed).isEqualTo(this.database != TestDatabase.POSTGRESQL);
	}

	@Test
	void aTransactionThatReadBeforeARenewalCommitsInAMariaDbThatChecksSnapshots() {
		String url = this.database.urlWithSnapshotIsolation();
		DriverManagerDataSource checked = new DriverManagerDataSource(url, "root", "");
		TransactionTemplate repeatableRead = transaction(checked, new CommitFence());
		repeatableRead.setTimeout(60);
		this.locks.execute(this.lock, () -> repeatableRead.executeWithoutResult((status) -> {
			increment(checked);
			setExpiry("expires_at + 1");
		}));
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> this.locks.execute(this.lock, () -> repeatableRead.executeWithoutResult((status) -> {
				increment(checked);
				endLease();
				this.otherLocks.acquire(this.lock).close();
			})));
		assertThat(counter()).isEqualTo(1);
	}

	private TransactionTemplate transaction(DataSource dataSource, CommitFence fence) {
		JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
		List.of(this.locks, manager).forEach((bean) -> fence.postProcessBeforeInitialization(bean, "bean"));
		return new TransactionTemplate(manager);
	}

	private void increment(DataSource dataSource) {
		JdbcClient client = JdbcClient.create(dataSource);
		Integer value = client.sql("SELECT value_ FROM counter WHERE name = ?")
			.param(this.lock.name())
			.query(Integer.class)
			.single();
		client.sql("UPDATE counter SET value_ = ? WHERE name = ?").params(value + 1, this.lock.name()).update();
	}

	@Test
	void aSnapshotFromBeforeTheFirstUseOfTheLockIsAConflictInPostgres() {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		Lock held = this.locks.asLock(this.lock.name());
		Class<?> failure = null;
		try {
			this.transaction.executeWithoutResult((status) -> {
				counter();
				held.lock();
			});
		}
		catch (RuntimeException ex) {
			failure = ex.getClass();
		}
		finally {
			held.unlock();
		}
		assertThat(failure)
			.isEqualTo((this.database == TestDatabase.POSTGRESQL) ? CannotAcquireLockException.class : null);
	}

	@Test
	void aRowThatIsGoneIsALossAlsoForARepeatableRead() {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.locks.execute(this.lock, () -> {
			this.sql.sql("DELETE FROM distributed_lock WHERE name = ?").param(column("lock:" + this.name)).update();
			this.transaction.executeWithoutResult((status) -> write(counter() + 1));
		}));
		assertThat(counter()).isZero();
	}

	/** Another transaction has locked the row of the lock. */
	@Test
	void aTransactionDoesNotCommitAfterItsTimeout() {
		CountDownLatch locked = new CountDownLatch(1);
		CountDownLatch done = new CountDownLatch(1);
		TransactionTemplate foreign = new TransactionTemplate(this.transactions);
		this.transaction.setTimeout(1);
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> this.locks.execute(this.lock, () -> {
			this.threads.submit(() -> foreign.executeWithoutResult((status) -> {
				this.sql.sql("SELECT state FROM distributed_lock WHERE name = ? FOR UPDATE")
					.param(column("lock:" + this.name))
					.query(String.class)
					.single();
				locked.countDown();
				await(done);
			}));
			await(locked);
			this.transaction.executeWithoutResult((status) -> write(1));
		})).withCauseInstanceOf(TransactionTimedOutException.class);
		done.countDown();
		assertThat(counter()).isZero();
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await(5, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void aRightThatTheUserOrItsRoleLacksIsNamedWithItsGrant() {
		DataSource user = this.database.userWithoutRights("locks_of_others");
		DataSource dataSource = (this.database == TestDatabase.POSTGRESQL) ? withRole((DriverManagerDataSource) user)
				: user;
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withCreateTables(true)
			.withTable("locks_of_others.distributed_lock");
		try (JdbcLockTemplate template = new JdbcLockTemplate(this.database.dataSource(), settings, List.of())) {
			CommitFence fence = new CommitFence();
			JdbcTransactionManager manager = new JdbcTransactionManager(dataSource);
			List.of(template, manager).forEach((bean) -> fence.postProcessBeforeInitialization(bean, "bean"));
			Runnable section = () -> template.execute(this.lock,
					() -> new TransactionTemplate(manager).executeWithoutResult((status) -> {
					}));
			assertThatExceptionOfType(PermissionDeniedDataAccessException.class).isThrownBy(section::run)
				.withMessageContaining("GRANT SELECT, UPDATE ON ");
			LockUnavailableException refusal = catchThrowableOfType(LockUnavailableException.class, fence::checkRights);
			String grants = String.valueOf(refusal.getMessage()).split("these rights: ")[1];
			for (String grant : grants.split("; ")) {
				this.sql.sql(grant).update();
			}
			fence.checkRights();
			section.run();
		}
	}

	private DataSource withRole(DriverManagerDataSource user) {
		String role = "\"Role of " + user.getUsername() + "\"";
		this.sql.sql("CREATE ROLE " + role + " ROLE " + user.getUsername()).update();
		return new DelegatingDataSource(user) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				connection.createStatement().execute("SET ROLE " + role);
				return connection;
			}

		};
	}

	@Test
	void whatElseKeepsTheRightsFromBeingCheckedDoesNotStopTheStart() {
		JdbcLockSettings settings = JdbcLockSettings.defaults().withCreateTables(true).withTable("locks_dropped");
		try (JdbcLockTemplate template = new JdbcLockTemplate(this.database.dataSource(), settings, List.of())) {
			this.sql.sql("DROP TABLE locks_dropped_holder").update();
			CommitFence fence = new CommitFence();
			List.of(template, this.transactions).forEach((bean) -> fence.postProcessBeforeInitialization(bean, "bean"));
			fence.checkRights();
		}
	}

	/** The fence then asks by a connection of the locks. */
	@Test
	void aSnapshotIsAConflictAlsoIfTheLocksCannotBeAskedInPostgres() {
		Assumptions.assumeTrue(this.database == TestDatabase.POSTGRESQL);
		AtomicBoolean down = new AtomicBoolean();
		List<Connection> opened = new CopyOnWriteArrayList<>();
		DataSource dataSource = new DelegatingDataSource(this.database.dataSource()) {

			@Override
			public Connection getConnection() throws SQLException {
				if (down.get()) {
					throw new SQLException("No more connections", "53300");
				}
				Connection connection = super.getConnection();
				opened.add(connection);
				return connection;
			}

		};
		TransactionTemplate repeatableRead = new TransactionTemplate(this.transactions);
		repeatableRead.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		try (JdbcLockTemplate template = new JdbcLockTemplate(dataSource,
				JdbcLockSettings.defaults().withStatementTimeout(Duration.ofSeconds(1)), List.of())) {
			template.callersTransactions();
			Lock held = template.asLock(this.lock.name());
			assertThatExceptionOfType(ConcurrencyFailureException.class)
				.isThrownBy(() -> repeatableRead.executeWithoutResult((status) -> {
					counter();
					held.lock();
					down.set(true);
					opened.forEach(JdbcUtils::closeConnection);
					template.fence((ConnectionHolder) Objects
						.requireNonNull(TransactionSynchronizationManager.getResource(this.database.dataSource())));
				}));
			down.set(false);
			held.unlock();
		}
	}

}
