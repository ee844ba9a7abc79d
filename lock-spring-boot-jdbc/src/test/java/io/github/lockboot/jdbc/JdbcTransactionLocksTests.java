package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;

import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.transaction.JdbcTransactionLocks;
import io.github.lockboot.jdbc.transaction.NestedTransactions;
import io.github.lockboot.transaction.TransactionLocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Locks that transactions hold until their end.
 */
@ParameterizedClass
@EnumSource
class JdbcTransactionLocksTests extends TwoInstancesOnADatabase {

	private final TransactionLocks transactionLocks = new JdbcTransactionLocks(this.locks);

	JdbcTransactionLocksTests(TestDatabase database) {
		super(database);
		new NestedTransactions().postProcessBeforeInitialization(this.transactions, "transactions");
	}

	@Test
	void aLockIsHeldUntilTheTransactionIsCommittedOrRolledBack() {
		for (boolean rollback : new boolean[] { false, true }) {
			this.transaction.executeWithoutResult((status) -> {
				this.transactionLocks.acquire(this.name);
				this.transactionLocks.acquire(this.name);
				assertThat(isFree()).isFalse();
				if (rollback) {
					status.setRollbackOnly();
				}
			});
			assertThat(isFree()).isTrue();
		}
	}

	private boolean isFree() {
		return CompletableFuture
			.supplyAsync(() -> this.transaction.execute((status) -> this.transactionLocks.tryAcquire(this.once)),
					this.threads)
			.join();
	}

	@Test
	void transactionsThatWaitLoseNoUpdate() throws Exception {
		LockRequest patient = LockRequest.of(this.name).waitTime(Duration.ofSeconds(60));
		List<Future<?>> callers = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			callers.add(this.threads.submit(() -> {
				for (int k = 0; k < 10; k++) {
					this.transaction.executeWithoutResult((status) -> {
						this.transactionLocks.acquire(patient);
						write(counter() + 1);
					});
				}
			}));
		}
		for (Future<?> caller : callers) {
			caller.get();
		}
		assertThat(counter()).isEqualTo(40);
	}

	@Test
	void aTransactionGoesOnAfterItsWaitTime() throws Exception {
		this.transaction.executeWithoutResult((status) -> {
			this.transactionLocks.acquire(this.name);
			CompletableFuture.runAsync(() -> this.transaction.executeWithoutResult((other) -> {
				assertThatExceptionOfType(LockNotAcquiredException.class).isThrownBy(() -> this.transactionLocks
					.acquire(LockRequest.of(this.name).waitTime(Duration.ofMillis(100))));
				write(1);
			}), this.threads).join();
		});
		assertThat(counter()).isEqualTo(1);
	}

	@Test
	void anInterruptEndsTheWait() throws Exception {
		this.transaction.executeWithoutResult((status) -> {
			this.transactionLocks.acquire(this.name);
			CompletableFuture.runAsync(() -> this.transaction.executeWithoutResult((other) -> {
				Thread.currentThread().interrupt();
				assertThatExceptionOfType(LockInterruptedException.class).isThrownBy(() -> this.transactionLocks
					.acquire(LockRequest.of(this.name).waitTime(Duration.ofSeconds(60))));
				assertThat(Thread.interrupted()).isTrue();
			}), this.threads).join();
		});
	}

	@Test
	void severalLocksAreAcquired() {
		this.transaction.executeWithoutResult((status) -> {
			this.transactionLocks.acquire(LockRequest.allOf(this.name + ":other", this.name));
			assertThat(isFree()).isFalse();
		});
	}

	@Test
	void aLockOfATransactionAndOneWithALeaseDoNotExcludeEachOther() {
		this.locks.execute(this.once, () -> this.transaction.executeWithoutResult((status) -> {
			this.transactionLocks.acquire(this.once);
			assertThat(this.locks.inspect(this.name).isHeld()).isTrue();
		}));
	}

	@Test
	void aThreadWithoutATransactionThatWritesIsRefused() {
		assertThatIllegalStateException().isThrownBy(() -> this.transactionLocks.acquire(this.name))
			.withMessageContaining("the current thread has no transaction that writes to the database of the locks");
		this.transaction.setReadOnly(true);
		assertThatIllegalStateException().isThrownBy(
				() -> this.transaction.executeWithoutResult((status) -> this.transactionLocks.acquire(this.name)));
		this.transaction.setReadOnly(false);
		this.transaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_SUPPORTS);
		assertThatIllegalStateException().isThrownBy(() -> this.transaction.executeWithoutResult((status) -> {
			counter();
			this.transactionLocks.acquire(this.name);
		}));
	}

	/** A rollback to its savepoint would release the lock, and the outer one goes on. */
	@Test
	void aNestedTransactionIsRefused() {
		TransactionTemplate inner = new TransactionTemplate(this.transactions);
		TransactionTemplate nested = new TransactionTemplate(Objects.requireNonNull(inner.getTransactionManager()));
		nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
		this.transaction.executeWithoutResult((status) -> {
			for (int i = 0; i < 2; i++) {
				assertThatIllegalStateException().isThrownBy(() -> nested.executeWithoutResult((its) -> {
					nested.executeWithoutResult((deeper) -> write(1));
					inner.executeWithoutResult((same) -> this.transactionLocks.acquire(this.name));
				})).withMessageContaining("can't be acquired in a nested transaction");
			}
			nested.executeWithoutResult((its) -> write(2));
			this.transactionLocks.acquire(this.name);
			assertThat(isFree()).isFalse();
		});
		assertThat(counter()).isEqualTo(2);
		nested.executeWithoutResult((outermost) -> this.transactionLocks.acquire(this.name));
	}

	@Test
	void oneOfTwoTransactionsOnTheDatabaseIsNotChosen() {
		DataSource other = new DelegatingDataSource(this.database.dataSource());
		TransactionTemplate inner = new TransactionTemplate(new JdbcTransactionManager(other));
		this.transaction.executeWithoutResult((status) -> {
			assertThatIllegalStateException()
				.isThrownBy(() -> inner.executeWithoutResult((its) -> this.transactionLocks.acquire(this.name)))
				.withMessageContaining("has 2 transactions on the database of the locks");
			this.transactionLocks.acquire(this.name);
		});
	}

	@Test
	void aTransactionWaitsNoLongerThanItsTimeout() {
		TransactionTemplate brief = new TransactionTemplate(this.transactions);
		brief.setTimeout(1);
		LockRequest patient = LockRequest.of(this.name).waitTime(Duration.ofSeconds(6));
		this.transaction.executeWithoutResult((status) -> {
			this.transactionLocks.acquire(this.name);
			assertThatExceptionOfType(
					CompletionException.class)
				.isThrownBy(
						() -> CompletableFuture
							.runAsync(() -> brief.executeWithoutResult((its) -> this.transactionLocks.acquire(patient)),
									this.threads)
							.join())
				.withCauseInstanceOf(TransactionTimedOutException.class);
		});
	}

	@Test
	void aTransactionThatHasReadAcquiresALockInAMariaDbThatChecksSnapshots() {
		DataSource checked = new DriverManagerDataSource(this.database.urlWithSnapshotIsolation(), "root", "");
		new TransactionTemplate(new JdbcTransactionManager(checked)).executeWithoutResult((status) -> {
			JdbcClient.create(checked).sql("SELECT COUNT(*) FROM counter").query(Integer.class).single();
			this.transactionLocks.acquire(this.once);
			assertThat(isFree()).isFalse();
		});
	}

	@Test
	void aTransactionThatReadsAnOldSnapshotIsRefused() {
		this.transaction.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
		if (this.database == TestDatabase.MARIADB) {
			assertThat(isFree()).isTrue();
		}
		else {
			assertThatIllegalStateException().isThrownBy(
					() -> this.transaction.executeWithoutResult((status) -> this.transactionLocks.acquire(this.name)))
				.withMessageContaining("set its isolation to READ_COMMITTED");
		}
	}

	@Test
	void whatALeaseNeedsIsRefused() {
		List<LockRequest> unsupported = List.of(this.once.shared(), this.once.fair(true), this.once.renew(false),
				this.once.leaseTime(Duration.ofSeconds(1)));
		assertThat(unsupported).allSatisfy((request) -> assertThatIllegalArgumentException()
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.transactionLocks.acquire(request)))
			.withMessageContaining("Set only a name and a wait time"));
	}

	@Test
	void theRowIsDeletedOnceNobodyUsesIt() {
		assertThat(isFree()).isTrue();
		age(Duration.ofHours(13));
		assertThat(isFree()).isTrue();
		age(Duration.ofHours(13));
		purge();
		assertThat(rows()).isEqualTo(1);
		age(Duration.ofHours(13));
		purge();
		assertThat(rows()).isZero();
	}

	private void age(Duration age) {
		this.sql
			.sql("UPDATE distributed_lock SET expires_at = expires_at - :age, token = token - :age WHERE name = :name")
			.param("age", age.toMillis() * 1000)
			.param("name", column("transaction/lock:" + this.name))
			.update();
	}

	private void purge() {
		try (SystemClock clock = new SystemClock("lock-timer");
				JdbcLockStore store = TestStores.store(this.database, clock)) {
			store.idleRows().purge().join();
		}
	}

	private int rows() {
		return this.sql.sql("SELECT COUNT(*) FROM distributed_lock WHERE name = ?")
			.param(column("transaction/lock:" + this.name))
			.query(Integer.class)
			.single();
	}

}
