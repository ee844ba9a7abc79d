package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
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

	private final DataSource dataSource;

	private final JdbcClient sql;

	private final JdbcLockTemplate locks;

	private final JdbcLockTemplate otherLocks;

	private final String name = "test:" + UUID.randomUUID();

	JdbcLockTemplateTests(TestDatabase database) {
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
	void aMissingTableIsNamed() {
		assertThatExceptionOfType(LockUnavailableException.class).isThrownBy(
				() -> new JdbcLockTemplate(this.dataSource, JdbcLockSettings.defaults().withTable("absent"), List.of()))
			.withMessageContaining("The table of the locks, 'absent', can't be used");
	}

}
