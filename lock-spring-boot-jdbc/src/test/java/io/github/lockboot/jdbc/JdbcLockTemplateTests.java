package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.List;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.transaction.TransactionDefinition;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two instances of an application that lock in a database, and what their callers and
 * administrators do to it.
 */
@ParameterizedClass
@EnumSource
class JdbcLockTemplateTests extends TwoInstancesOnADatabase {

	JdbcLockTemplateTests(TestDatabase database) {
		super(database, (settings) -> settings.withStatementTimeout(Duration.ofSeconds(1)),
				(settings) -> settings.withStatementTimeout(Duration.ofSeconds(1)));
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
		LockHandle lock = this.transaction.execute((status) -> {
			status.setRollbackOnly();
			return this.locks.acquire(LockRequest.of(this.name));
		});
		assertThat(this.otherLocks.inspect(this.name).isHeld()).isTrue();
		lock.close();
		assertThat(this.otherLocks.inspect(this.name).isHeld()).isFalse();
	}

	@Test
	void aReadOnlyTransactionOfTheCallerWithAnOldSnapshotSeesNoOldLock() {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		this.transaction.setReadOnly(true);
		this.transaction.executeWithoutResult((status) -> {
			this.sql.sql("SELECT COUNT(*) FROM distributed_lock").query(Integer.class).single();
			LockHandle other = this.otherLocks.acquire(LockRequest.of(this.name));
			assertThat(this.locks.tryAcquire(this.once)).isNull();
			other.close();
			assertThat(this.locks.tryExecute(this.once, () -> {
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

}
