package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two instances of an application that lock in a database, and what their callers and
 * administrators do to it.
 */
@ParameterizedClass
@EnumSource
@Timeout(120)
class JdbcLockTemplateTests {

	private static final int CALLERS = 4;

	private static final int ROUNDS = 25;

	private final TestDatabase database;

	private final DataSource dataSource;

	private final JdbcClient sql;

	private final JdbcLockTemplate locks;

	private final JdbcLockTemplate otherLocks;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final String name = "test:" + UUID.randomUUID();

	JdbcLockTemplateTests(TestDatabase database) {
		this.database = database;
		this.dataSource = database.dataSource();
		this.sql = JdbcClient.create(this.dataSource);
		JdbcLockSettings settings = JdbcLockSettings.defaults()
			.withLockDefaults(LockDefaults.defaults().withApplication(""))
			.withCreateTables(true)
			.withStatementTimeout(Duration.ofSeconds(1));
		this.locks = new JdbcLockTemplate(this.dataSource, settings, List.of());
		this.otherLocks = new JdbcLockTemplate(this.dataSource, settings, List.of());
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.locks.close();
		this.otherLocks.close();
	}

	@Test
	void aLongNameIsListedAsTheTableHasItWhichNamesTheSameLock() {
		try (LockHandle held = this.otherLocks.acquire(this.name + "x".repeat(300))) {
			List<LockState> listed = this.locks.list(this.name + "*", null, 10);
			assertThat(listed).singleElement()
				.satisfies((state) -> assertThat(state.name()).startsWith(this.name).hasSizeLessThan(255));
			assertThat(this.locks.forceRelease(listed.get(0).name())).isTrue();
			assertThat(this.locks.inspect(held.name()).isHeld()).isFalse();
		}
	}

	@Test
	void callersOfTwoInstancesLoseNoUpdate() throws Exception {
		this.sql.sql("CREATE TABLE IF NOT EXISTS counter (name VARCHAR(100) PRIMARY KEY, value_ INT NOT NULL)")
			.update();
		this.sql.sql("INSERT INTO counter VALUES (?, 0)").param(this.name).update();
		List<Future<?>> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			callers.add(this.threads.submit(() -> incrementAgainAndAgain(this.locks)));
			callers.add(this.threads.submit(() -> incrementAgainAndAgain(this.otherLocks)));
		}
		for (Future<?> caller : callers) {
			caller.get();
		}
		assertThat(counter()).isEqualTo(2 * CALLERS * ROUNDS);
	}

	private void incrementAgainAndAgain(JdbcLockTemplate template) {
		for (int i = 0; i < ROUNDS; i++) {
			template.execute(LockRequest.of(this.name).waitTime(Duration.ofSeconds(60)), () -> {
				int value = counter();
				return this.sql.sql("UPDATE counter SET value_ = ? WHERE name = ?")
					.params(value + 1, this.name)
					.update();
			});
		}
	}

	private int counter() {
		return this.sql.sql("SELECT value_ FROM counter WHERE name = ?").param(this.name).query(Integer.class).single();
	}

	@Test
	void aLeaseIsRenewed() {
		try (LockHandle lock = this.locks.acquire(LockRequest.of(this.name).leaseTime(Duration.ofMillis(900)))) {
			Awaitility.await()
				.during(Duration.ofSeconds(2))
				.atMost(Duration.ofSeconds(10))
				.until(() -> this.otherLocks.inspect(this.name).isHeld());
			assertThat(lock.isHeld()).isTrue();
		}
	}

	@Test
	void theLockOfADeadInstanceExpires() {
		this.locks.acquire(LockRequest.of(this.name).leaseTime(Duration.ofMillis(500)).renew(false));
		assertThat(this.otherLocks.tryExecute(LockRequest.of(this.name).waitTime(Duration.ofSeconds(20)), () -> {
		})).isTrue();
	}

	@Test
	void aRolledBackTransactionOfTheCallerKeepsTheLock() {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		LockHandle lock = transaction.execute((status) -> {
			status.setRollbackOnly();
			return this.locks.acquire(LockRequest.of(this.name));
		});
		assertThat(this.otherLocks.inspect(this.name).isHeld()).isTrue();
		lock.close();
		assertThat(this.otherLocks.inspect(this.name).isHeld()).isFalse();
	}

	@Test
	void aReadOnlyTransactionOfTheCallerWithAnOldSnapshotSeesNoOldLock() {
		TransactionTemplate transaction = new TransactionTemplate(new JdbcTransactionManager(this.dataSource));
		transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		transaction.setReadOnly(true);
		transaction.executeWithoutResult((status) -> {
			this.sql.sql("SELECT COUNT(*) FROM distributed_lock").query(Integer.class).single();
			LockHandle other = this.otherLocks.acquire(LockRequest.of(this.name));
			assertThat(this.locks.tryAcquire(LockRequest.of(this.name).waitTime(Duration.ZERO))).isNull();
			other.close();
			assertThat(this.locks.tryExecute(LockRequest.of(this.name).waitTime(Duration.ZERO), () -> {
			})).isTrue();
		});
	}

	@Test
	void namesThatDifferByCaseOrTrailingSpacesAreDifferentLocks() {
		try (LockHandle lower = this.locks.acquire(LockRequest.of(this.name + "a"));
				LockHandle upper = this.otherLocks.acquire(LockRequest.of(this.name + "A"));
				LockHandle space = this.otherLocks.acquire(LockRequest.of(this.name + "a "))) {
			assertThat(List.of(lower, upper, space)).allMatch(LockHandle::isHeld);
		}
	}

	@Test
	void longNamesThatBeginAlikeAreDifferentLocks() {
		String longName = this.name + "x".repeat(5000);
		try (LockHandle one = this.locks.acquire(LockRequest.of(longName + "1"));
				LockHandle two = this.otherLocks.acquire(LockRequest.of(longName + "2"))) {
			assertThat(List.of(one, two)).allMatch(LockHandle::isHeld);
			assertThat(this.otherLocks.tryAcquire(LockRequest.of(longName + "1").waitTime(Duration.ZERO))).isNull();
		}
	}

	@Test
	void theTableNamesTheThreadThatHasWaitedForALock() {
		LockHandle other = this.otherLocks.acquire(LockRequest.of(this.name));
		Thread waiter = new Thread(() -> this.locks.acquire(LockRequest.of(this.name).waitTime(Duration.ofSeconds(60))),
				"the-waiter");
		waiter.start();
		Awaitility.await().until(() -> !this.locks.activity().waiting().isEmpty());
		other.close();
		Awaitility.await().untilAsserted(() -> assertThat(this.locks.activity().held()).isNotEmpty());
		assertThat(this.sql.sql("SELECT thread FROM distributed_lock WHERE owner = ?")
			.param(this.locks.inspect(this.name).owner())
			.query(String.class)
			.single()).isEqualTo("the-waiter");
	}

	@Test
	void tokensGrowOverInstances() {
		long last = 0;
		for (int i = 0; i < 10; i++) {
			JdbcLockTemplate template = (i % 2 == 0) ? this.locks : this.otherLocks;
			try (LockHandle lock = template.acquire(LockRequest.of(this.name))) {
				assertThat(lock.fencingToken()).isGreaterThan(last);
				last = lock.fencingToken();
			}
		}
	}

	@Test
	void aDatabaseThatDoesNotReplyFailsTheCallWithinItsWaitTime() throws Exception {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "H2 runs in this process");
		// sooner than PostgreSQL gives up
		JdbcLockSettings settings = JdbcLockSettings.defaults().withStatementTimeout(Duration.ofMillis(400));
		try (JdbcLockTemplate impatient = new JdbcLockTemplate(this.dataSource, settings, List.of());
				Connection blocking = this.dataSource.getConnection()) {
			blocking.setAutoCommit(false);
			blocking.createStatement()
				.execute((this.database == TestDatabase.POSTGRESQL)
						? "LOCK TABLE distributed_lock IN ACCESS EXCLUSIVE MODE"
						: "LOCK TABLES distributed_lock WRITE");
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> impatient.acquire(LockRequest.of(this.name).waitTime(Duration.ofSeconds(2))));
			assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
			blocking.createStatement()
				.execute((this.database == TestDatabase.POSTGRESQL) ? "ROLLBACK" : "UNLOCK TABLES");
			assertThat(impatient.tryExecute(LockRequest.of(this.name).waitTime(Duration.ofSeconds(20)), () -> {
			})).isTrue();
		}
	}

	@Test
	void aMissingTableIsNamed() {
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(
				() -> new JdbcLockTemplate(this.dataSource, JdbcLockSettings.defaults().withTable("absent"), List.of()))
			.withMessageContaining("The table of the locks, 'absent', can't be used");
	}

	@Test
	void aTableThatIgnoresCaseIsRefused() {
		Assumptions.assumeTrue(this.database == TestDatabase.MARIADB, "Only MariaDB and MySQL ignore case by default");
		this.sql.sql("CREATE TABLE confusing LIKE distributed_lock").update();
		this.sql.sql("CREATE TABLE confusing_holder LIKE distributed_lock_holder").update();
		this.sql.sql("ALTER TABLE confusing MODIFY name VARCHAR(255)").update();
		assertThatExceptionOfType(LockUnavailableException.class)
			.isThrownBy(() -> new JdbcLockTemplate(this.dataSource, JdbcLockSettings.defaults().withTable("confusing"),
					List.of()))
			.withMessageContaining("its column 'name' must compare names exactly");
	}

}
