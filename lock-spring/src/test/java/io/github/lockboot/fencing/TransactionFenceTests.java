package io.github.lockboot.fencing;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Transactions of a holder before, while and after a later one has the lock.
 */
@ParameterizedClass
@EnumSource
class TransactionFenceTests extends TwoHolders {

	private final JdbcClient sql = JdbcClient.create(this.dataSource);

	TransactionFenceTests(TestDatabase database) {
		super(database);
	}

	@Test
	void aFormerHolderIsRefusedBeforeItsFirstStatement() {
		this.former.execute(this.lock, () -> {
			locked(this.later, "later");
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.events.add("former")))
				.withMessageContaining("a later holder");
			assertThat(TransactionSynchronizationManager.isSynchronizationActive()).isFalse();
			assertThat(TransactionSynchronizationManager.getResourceMap()).isEmpty();
		});
		assertThat(this.events).containsExactly("later");
		locked(this.later, "goes on");
		assertThat(this.events).contains("goes on");
	}

	@Test
	void aStoreThatHasLostItsTokensGoesOnAfterOneRefusal() {
		this.sql.sql("INSERT INTO lock_fence VALUES (?, 1000000)").param(this.lock).update();
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> locked(this.former, "refused"))
			.withMessageContaining("a later holder, whose fencing token is 1000000");
		locked(this.former, "former");
		locked(this.former, "again");
		assertThat(this.events).containsExactly("former", "again");
	}

	@Test
	void theTransactionAroundARefusedOneGoesOn() {
		TransactionTemplate readOnly = like(this.transaction);
		readOnly.setReadOnly(true);
		readOnly.executeWithoutResult((outer) -> {
			this.former.execute(this.lock, () -> {
				CompletableFuture.runAsync(() -> locked(this.later, "later"), this.threads).join();
				assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> requiringNew(this.transaction)
					.executeWithoutResult((status) -> this.events.add("former")));
			});
			assertThat(count(this.lock)).isOne();
		});
		assertThat(this.events).containsExactly("later");
	}

	@Test
	void aLaterHolderWaitsForTheTransactionOfAFormerOne() {
		this.former.execute(this.lock, () -> {
			CompletableFuture<Void> next = this.transaction
				.execute((status) -> waitingForThisTransaction(() -> locked(this.later, "later")));
			assertThat(next).succeedsWithin(Duration.ofSeconds(20));
		});
		assertThat(this.events).containsExactly("former", "later");
	}

	@Test
	void anInnerTransactionDoesNotWaitForTheOneAroundIt() {
		this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
			requiringNew(this.transaction).executeWithoutResult((status) -> this.events.add("inner"));
			nested(this.transaction).executeWithoutResult((status) -> this.events.add("nested"));
			this.transaction.executeWithoutResult((status) -> this.events.add("same"));
		}));
		assertThat(this.events).containsExactly("inner", "nested", "same");
	}

	@Test
	void severalLocksAreAllFenced() {
		LockRequest both = LockRequest.allOf(this.lock, this.lock + "-b");
		this.former.execute(both, () -> {
			this.later.execute(this.lock + "-b",
					() -> this.transaction.executeWithoutResult((status) -> this.events.add("later")));
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.events.add("former")))
				.withMessageContaining("-b");
		});
		assertThat(this.events).containsExactly("later");
	}

	@Test
	void sharedHoldersDoNotWaitForEachOther() {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "H2 has no shared locks of rows");
		assertTwoMeet((meeting) -> this.former.execute(LockRequest.of(this.lock).shared(),
				() -> this.transaction.executeWithoutResult((status) -> meeting.run())));
		locked(this.later, "writer");
		assertThat(this.events).containsExactly("writer");
	}

	@Test
	void aSharedHolderIsRefusedAfterALaterHolder() {
		this.former.execute(LockRequest.of(this.lock).shared(), () -> {
			locked(this.later, "later");
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.events.add("former")));
		});
		assertThat(this.events).containsExactly("later");
	}

	@Test
	void aLockThatIsAcquiredInATransactionIsFencedBeforeItsSection() {
		locked(this.later, "later");
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> this.transaction
			.executeWithoutResult((status) -> this.former.execute(this.lock, () -> this.events.add("former"))));
		assertThat(this.events).containsExactly("later");
		assertThat(this.former.inspect(this.lock).isHeld()).isFalse();
	}

	@Test
	void aLaterHolderThatAcquiresInItsTransactionWaitsForTheOneOfAFormerHolder() {
		this.former.execute(this.lock, () -> {
			CompletableFuture<Void> next = this.transaction
				.execute((status) -> waitingForThisTransaction(() -> this.transaction
					.executeWithoutResult((inner) -> this.later.execute(this.lock, () -> this.events.add("later")))));
			assertThat(next).succeedsWithin(Duration.ofSeconds(20));
		});
		assertThat(this.events).containsExactly("former", "later");
	}

	@Test
	void aLaterHolderWaitsForTheTransactionOfASectionThatHasEnded() {
		CompletableFuture<Void> next = this.transaction.execute((status) -> {
			this.former.execute(this.lock, () -> insert("section:" + this.lock));
			return waitingForThisTransaction(() -> locked(this.later, "later"));
		});
		assertThat(next).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.events).containsExactly("former", "later");
	}

	@Test
	void aLaterHolderWaitsForTheTransactionAroundOneThatAcquiredTheLock() {
		Lock view = this.former.asLock(this.lock);
		CompletableFuture<Void> next = this.transaction.execute((status) -> {
			requiringNew(this.transaction).executeWithoutResult((inner) -> {
				view.lock();
				inner.setRollbackOnly();
			});
			return waitingForThisTransaction(() -> locked(this.later, "later"));
		});
		view.unlock();
		assertThat(next).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.events).containsExactly("former", "later");
	}

	@Test
	void transactionsUnderOtherLocksAreNotFenced() {
		String off = this.lock + "-off";
		this.former.execute(off, () -> {
			this.later.execute(off,
					() -> this.transaction.executeWithoutResult((status) -> this.events.add("later off")));
			this.transaction.executeWithoutResult((status) -> this.events.add("off"));
		});
		assertThat(this.events).containsExactly("later off", "off");
	}

	@Test
	void withoutTheTableCallersNeedNoSecondConnection() {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
			pool.setMaximumPoolSize(1);
			pool.setConnectionTimeout(5000);
			TransactionTemplate pooled = fencedWithoutTable(pool, System::nanoTime);
			List<CompletableFuture<Void>> callers = IntStream.range(0, 8)
				.mapToObj((caller) -> CompletableFuture.runAsync(() -> pooled.executeWithoutResult(
						(status) -> this.former.execute(this.lock + caller, () -> this.events.add("committed"))),
						this.threads))
				.toList();
			assertThat(callers).allSatisfy((caller) -> assertThat(caller).succeedsWithin(Duration.ofSeconds(20)));
		}
		assertThat(this.events).hasSize(8);
	}

	@Test
	void aTableThatIsCreatedLaterIsFoundAfterAMinute() {
		DataSource other = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		AtomicLong nanos = new AtomicLong();
		TransactionTemplate elsewhere = fencedWithoutTable(other, nanos::get);
		Runnable section = () -> this.former.execute(this.lock, () -> elsewhere.executeWithoutResult((status) -> {
		}));
		section.run();
		JdbcClient later = JdbcClient.create(other);
		later.sql("CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)").update();
		JdbcClient.StatementSpec count = later.sql("SELECT COUNT(*) FROM lock_fence");
		section.run();
		assertThat(count.query(Integer.class).single()).isZero();
		nanos.addAndGet(Duration.ofSeconds(61).toNanos());
		section.run();
		assertThat(count.query(Integer.class).single()).isOne();
	}

	private TransactionTemplate fencedWithoutTable(DataSource other, LongSupplier nanoTime) {
		JdbcTransactionManager manager = new JdbcTransactionManager(other);
		TransactionFence fence = new TransactionFence((template) -> true, (template, name) -> name,
				(candidate) -> false, nanoTime);
		fence.postProcessBeforeInitialization(manager, "manager");
		fence.postProcessBeforeInitialization(this.former, "locks");
		return new TransactionTemplate(manager);
	}

	@Test
	void holdersOfPermitsDoNotWaitForEachOther() {
		LockRequest permit = LockRequest.of(this.lock).permits(2);
		assertTwoMeet((meeting) -> this.transaction
			.executeWithoutResult((status) -> this.former.execute(permit, meeting::run)));
		assertThat(count(this.lock)).isZero();
	}

	/** In H2 for two seconds at a time. */
	@Test
	void aHolderThatSharesALockInsideItsTransactionWaitsForAnotherOne() {
		LockRequest shared = LockRequest.of(this.lock).shared();
		Assumptions.assumeTrue(this.database != TestDatabase.MARIADB, "takes as long as PostgreSQL");
		Duration longer = Duration.ofMillis((this.database == TestDatabase.H2) ? 3000 : 10_500);
		CompletableFuture<Void> next = this.transaction.execute((status) -> this.former.execute(shared, () -> {
			CompletableFuture<Void> waiting = CompletableFuture.runAsync(
					() -> this.transaction
						.executeWithoutResult((inner) -> this.former.execute(shared, () -> this.events.add("second"))),
					this.threads);
			Awaitility.await().during(longer).atMost(longer.plusSeconds(20)).until(() -> !waiting.isDone());
			return waiting;
		}));
		assertThat(next).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.events).containsExactly("second");
	}

	private void insert(String name) {
		this.sql.sql("INSERT INTO lock_fence VALUES (?, 0)").param(name).update();
	}

	private int count(String name) {
		return this.sql.sql("SELECT COUNT(*) FROM lock_fence WHERE name = ?").param(name).query(Integer.class).single();
	}

	/** Let two holders wait for each other inside their sections. */
	private void assertTwoMeet(Consumer<Runnable> holder) {
		CyclicBarrier together = new CyclicBarrier(2);
		List<CompletableFuture<Void>> holders = List.of(1, 2)
			.stream()
			.map((number) -> CompletableFuture.runAsync(() -> holder.accept(() -> await(together)), this.threads))
			.toList();
		assertThat(holders).allSatisfy((each) -> assertThat(each).succeedsWithin(Duration.ofSeconds(20)));
	}

	private static void await(CyclicBarrier together) {
		try {
			together.await(20, TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
