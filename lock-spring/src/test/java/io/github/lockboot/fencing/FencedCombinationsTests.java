package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.locks.Lock;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;

/**
 * Transactions that come after, beside or inside others of the same holder, and those
 * that only read.
 */
@Tag("long")
@ParameterizedClass
@EnumSource
class FencedCombinationsTests extends TwoHolders {

	FencedCombinationsTests(TestDatabase database) {
		super(database);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aTransactionAfterTheEndOfAnotherOneIsRefusedAfterALaterHolder(boolean committed) {
		this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
			TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public void afterCommit() {
					FencedCombinationsTests.this.refusedAfterALaterHolder();
				}

				@Override
				public void afterCompletion(int status) {
					if (status == STATUS_ROLLED_BACK) {
						FencedCombinationsTests.this.refusedAfterALaterHolder();
					}
				}

			});
			if (!committed) {
				outer.setRollbackOnly();
			}
		}));
		assertThat(this.events).containsExactly("later", "refused");
	}

	private void refusedAfterALaterHolder() {
		CompletableFuture.runAsync(() -> locked(this.later, "later"), this.threads).join();
		TransactionTemplate inner = requiringNew(this.transaction);
		assertThatExceptionOfType(LockLostException.class)
			.isThrownBy(() -> inner.executeWithoutResult((status) -> this.events.add("former")));
		this.events.add("refused");
	}

	@Test
	void aTransactionReadsWhatAnInnerOneHasCommitted() {
		this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
			requiringNew(this.transaction).executeWithoutResult((inner) -> JdbcClient.create(this.dataSource)
				.sql("INSERT INTO lock_fence VALUES (?, 0)")
				.param(this.lock + "-data")
				.update());
			assertThat(names()).contains(this.lock + "-data");
		}));
	}

	@Test
	void aFormerHolderIsRefusedAfterAnInnerTransactionOfOneThatWasRolledBack() {
		this.later.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
			requiringNew(this.transaction).executeWithoutResult((inner) -> this.events.add("inner"));
			outer.setRollbackOnly();
		}));
		assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> locked(this.former, "former"));
		assertThat(this.events).containsExactly("inner");
	}

	@Test
	void aLaterHolderCommitsAfterAnInnerTransactionOfOneThatWasRolledBack() {
		this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
			requiringNew(this.transaction).executeWithoutResult((inner) -> this.events.add("inner"));
			outer.setRollbackOnly();
		}));
		locked(this.later, "later");
		assertThat(this.events).containsExactly("inner", "later");
		assertThat(names()).containsExactly(this.lock);
	}

	@Test
	void aLaterHolderWaitsForTheTransactionAroundANestedOneThatAcquiredTheLockAndWasRolledBack() {
		Lock view = this.former.asLock(this.lock);
		TransactionTemplate nested = nested(this.transaction);
		CompletableFuture<Void> next = this.transaction.execute((status) -> {
			nested.executeWithoutResult((inner) -> {
				view.lock();
				inner.setRollbackOnly();
			});
			return waitingForThisTransaction(() -> locked(this.later, "later"));
		});
		view.unlock();
		assertThat(next).succeedsWithin(Duration.ofSeconds(20));
		assertThat(this.events).containsExactly("former", "later");
	}

	private List<String> names() {
		return JdbcClient.create(this.dataSource)
			.sql("SELECT name FROM lock_fence WHERE name LIKE ?")
			.param(this.lock + "%")
			.query(String.class)
			.list();
	}

	@Test
	void aReadOnlyTransactionWaitsForTheTransactionOfAFormerHolder() {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "H2 waits for two seconds only");
		this.former.execute(this.lock, () -> {
			CompletableFuture<Void> next = this.transaction
				.execute((status) -> waitingForThisTransaction(() -> this.later.execute(this.lock,
						() -> readOnly().executeWithoutResult((reading) -> this.events.add("later reads")))));
			assertThat(next).succeedsWithin(Duration.ofSeconds(20));
		});
		assertThat(this.events).containsExactly("former", "later reads");
	}

	@Test
	void aHolderIsRefusedAfterALaterOneHasRead() {
		this.former.execute(this.lock, () -> {
			this.later.execute(this.lock, () -> readOnly().executeWithoutResult((status) -> this.events.add("reads")));
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.events.add("former")));
		});
		assertThat(this.events).containsExactly("reads");
	}

	@Test
	void aReadOnlyTransactionIsRefusedAfterALaterHolder() {
		this.former.execute(this.lock, () -> {
			locked(this.later, "later");
			assertThatExceptionOfType(LockLostException.class)
				.isThrownBy(() -> readOnly().executeWithoutResult((status) -> this.events.add("former reads")));
		});
		assertThat(this.events).containsExactly("later");
	}

	@Test
	void anInnerTransactionOfAnotherDataSourceForTheSameDatabaseDoesNotWait() {
		DriverManagerDataSource first = (DriverManagerDataSource) this.dataSource;
		String url = String.valueOf(first.getUrl());
		DataSource second = new DriverManagerDataSource(
				url.contains("localhost") ? url.replace("localhost", "127.0.0.1")
						: url.replace("127.0.0.1", "localhost"),
				String.valueOf(first.getUsername()), String.valueOf(first.getPassword()));
		TransactionTemplate other = fenced(second);
		TransactionTemplate reading = like(other);
		reading.setReadOnly(true);
		this.former.execute(this.lock, () -> this.transaction.executeWithoutResult((outer) -> {
			other.executeWithoutResult((status) -> this.events.add("inner"));
			reading.executeWithoutResult((status) -> this.events.add("inner reads"));
		}));
		assertThat(this.events).containsExactly("inner", "inner reads");
	}

	@Test
	void anInnerTransactionOnAnotherDatabaseOfOneDataSourceIsFenced() {
		DataSource tenant = new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
		JdbcClient.create(tenant)
			.sql("CREATE TABLE lock_fence (name VARCHAR(255) PRIMARY KEY, token BIGINT NOT NULL)")
			.update();
		Assumptions.assumeTrue(this.database == TestDatabase.H2);
		ThreadLocal<String> current = ThreadLocal.withInitial(() -> "one");
		AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {

			@Override
			protected Object determineCurrentLookupKey() {
				return current.get();
			}

		};
		routing.setTargetDataSources(Map.of("one", this.dataSource, "two", tenant));
		routing.afterPropertiesSet();
		TransactionTemplate routed = fenced(routing);
		this.former.execute(this.lock, () -> routed.executeWithoutResult((outer) -> {
			current.set("two");
			requiringNew(routed).executeWithoutResult((status) -> this.events.add("inner"));
			current.set("one");
		}));
		assertThat(JdbcClient.create(tenant).sql("SELECT name FROM lock_fence").query(String.class).list())
			.containsExactly(this.lock);
	}

	@Test
	void oneConnectionIsEnough() {
		DriverManagerDataSource database = (DriverManagerDataSource) this.dataSource;
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl(database.getUrl());
			pool.setUsername(database.getUsername());
			pool.setPassword(database.getPassword());
			pool.setMaximumPoolSize(1);
			pool.setConnectionTimeout(2000);
			pool.setAutoCommit(false);
			TransactionTemplate pooled = fenced(pool);
			pooled.executeWithoutResult(
					(status) -> this.former.execute(this.lock, () -> this.events.add("acquired inside, at first")));
			this.former.execute(LockRequest.of(this.lock).shared(),
					() -> pooled.executeWithoutResult((status) -> this.events.add("shared")));
			TransactionTemplate reading = like(pooled);
			reading.setReadOnly(true);
			this.former.execute(this.lock, () -> reading.executeWithoutResult((status) -> this.events.add("reads")));
			locked(this.later, "later");
			assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
		}
		assertThat(this.events).hasSize(4);
	}

	@Test
	void eightReadersAfterAWriterShareTheLockWhereTheSnapshotIsStrict() {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "H2 reads what is committed");
		DriverManagerDataSource strict = new DriverManagerDataSource();
		if (this.database == TestDatabase.MARIADB) {
			strict.setUrl(this.database.urlWithSnapshotIsolation());
		}
		else {
			strict.setUrl(((DriverManagerDataSource) this.dataSource).getUrl()
					+ "?options=-c%20default_transaction_isolation=repeatable%5C%20read");
		}
		strict.setUsername(((DriverManagerDataSource) this.dataSource).getUsername());
		TransactionTemplate strictly = fenced(strict);
		for (int round = 0; round < 10; round++) {
			locked(this.former, "writer");
			CompletableFuture
				.allOf(IntStream.range(0, 8)
					.mapToObj(
							(reader) -> CompletableFuture
								.runAsync(
										() -> this.former.execute(LockRequest.of(this.lock).shared(),
												() -> strictly
													.executeWithoutResult((status) -> this.events.add("reader"))),
										this.threads))
					.toArray(CompletableFuture[]::new))
				.join();
		}
		assertThat(this.events).hasSize(90);
	}

	@Test
	void aMissingRightIsNamed() {
		Assumptions.assumeTrue(this.database != TestDatabase.MARIADB, "its schema of tests is open to all users");
		DataSource user = userWith("SELECT");
		TransactionTemplate restricted = fenced(user);
		assertThatExceptionOfType(DataAccessException.class)
			.isThrownBy(() -> this.former.execute(this.lock,
					() -> restricted.executeWithoutResult((status) -> this.events.add("former"))))
			.withMessageContainingAll("lock_fence", "GRANT SELECT, INSERT, UPDATE ON lock_fence")
			.satisfies((ex) -> assertThat(ex.getMessage()).doesNotContain("suspended"));
	}

	@Test
	void twoTransactionsThatAcquireInOppositeOrdersDoNotBothFail() {
		Assumptions.assumeTrue(this.database != TestDatabase.H2, "H2 finds no deadlocks of rows");
		String second = this.lock + "-b";
		CyclicBarrier together = new CyclicBarrier(2);
		List<CompletableFuture<Void>> both = List.of(List.of(this.lock, second), List.of(second, this.lock))
			.stream()
			.map((order) -> CompletableFuture.runAsync(() -> this.transaction.executeWithoutResult((status) -> {
				this.former.execute(order.get(0), () -> this.events.add(order.get(0)));
				try {
					together.await();
				}
				catch (Exception ex) {
					throw new IllegalStateException(ex);
				}
				this.former.execute(order.get(1), () -> this.events.add(order.get(1)));
			}), this.threads))
			.toList();
		Awaitility.await().until(() -> both.stream().allMatch(CompletableFuture::isDone));
		List<Throwable> failures = both.stream()
			.filter(CompletableFuture::isCompletedExceptionally)
			.map((future) -> future.handle((done, failure) -> failure.getCause()).join())
			.toList();
		assertThat(failures).hasSize(1)
			.allSatisfy((failure) -> assertThat(failure).isInstanceOf(CannotAcquireLockException.class)
				.message()
				.doesNotContain("suspended"));
	}

	@Test
	void aDatabaseThatIsNotKnownIsNotFencedIfItRefusesTheQuestion() throws SQLException {
		Connection connection = Mockito.mock(Connection.class, Mockito.RETURNS_DEEP_STUBS);
		given(connection.getMetaData().getDatabaseProductName()).willReturn("Microsoft SQL Server");
		given(connection.createStatement().executeQuery(any()))
			.willThrow(new SQLException("Invalid object name 'lock_fence'.", "S0002", 208));
		DataSource unknown = Mockito.mock(DataSource.class);
		given(unknown.getConnection()).willReturn(connection);
		TransactionFence careful = new TransactionFence((template) -> true, (template, name) -> name,
				(candidate) -> false);
		assertThat(careful.isFenced(unknown)).isFalse();
	}

	/** Return a data source of a user who has some rights to the table. */
	private DataSource userWith(String rights) {
		DriverManagerDataSource user = (DriverManagerDataSource) this.database.userWithoutRights("other");
		JdbcClient.create(this.dataSource).sql("GRANT " + rights + " ON lock_fence TO " + user.getUsername()).update();
		return user;
	}

	private TransactionTemplate readOnly() {
		TransactionTemplate template = like(this.transaction);
		template.setReadOnly(true);
		return template;
	}

}
