package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mockito.Mockito;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.JdbcLockSettings.Strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Both strategies under isolation levels and conflicts that they have not chosen. */
@Timeout(60)
class StrategyTests {

	private static final int ROUNDS = 60;

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final List<LockStore> stores = new ArrayList<>();

	private final String lock = "test:" + UUID.randomUUID();

	private final Map<String, String> holders = new ConcurrentHashMap<>();

	private final AtomicInteger mistakes = new AtomicInteger();

	private final AtomicInteger holds = new AtomicInteger();

	@AfterEach
	void close() {
		this.stores.forEach(LockStore::close);
		this.clock.close();
	}

	/** The stores ask for READ COMMITTED, which the second kind of connection ignores. */
	@ParameterizedTest
	@CsvSource({ "MARIADB, false", "MARIADB, true", "POSTGRESQL, false", "POSTGRESQL, true", "H2, false" })
	void bothExcludeEachOtherUnderRepeatableRead(TestDatabase database, boolean always) {
		DataSource repeatable = repeatableRead(database.dataSource(), always);
		List<CompletableFuture<Void>> callers = new ArrayList<>();
		for (Strategy strategy : List.of(Strategy.OPTIMISTIC, Strategy.PESSIMISTIC, Strategy.OPTIMISTIC)) {
			LockStore store = store(database, repeatable, strategy);
			for (int i = 0; i < 2; i++) {
				callers.add(CompletableFuture.runAsync(() -> lockAgainAndAgain(store)));
			}
		}
		callers.forEach(CompletableFuture::join);
		assertThat(this.mistakes).hasValue(0);
		assertThat(this.holds).hasValueGreaterThan(ROUNDS);
	}

	/** Each round is for another lock, so that rows are inserted all the time. */
	private void lockAgainAndAgain(LockStore store) {
		for (int i = 0; i < ROUNDS; i++) {
			String name = this.lock + ":" + i / 3;
			LockAttempt attempt = new LockAttempt(name, UUID.randomUUID().toString(), 60_000, 1);
			AcquireReply reply = reply(store.acquire(attempt, 0, Queueing.NO, 0));
			if (reply instanceof AcquireReply.Owned owned) {
				if (this.holders.putIfAbsent(name, attempt.id()) != null) {
					this.mistakes.incrementAndGet();
				}
				this.holds.incrementAndGet();
				spinForAMillisecond();
				this.holders.remove(name, attempt.id());
				join(store.release(attempt, owned.token(), 0));
			}
		}
	}

	private static void spinForAMillisecond() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < 1_000_000) {
			Thread.onSpinWait();
		}
	}

	/** A conflict that persists is no lock. */
	private static AcquireReply reply(CompletionStage<AcquireReply> reply) {
		return reply.exceptionally((failure) -> new AcquireReply.Busy(0)).toCompletableFuture().join();
	}

	@Test
	void conflictAtTheCommitIsRepeatedInANewTransaction() {
		AtomicInteger conflicts = new AtomicInteger(2);
		LockStore store = store(TestDatabase.H2, conflictAtCommit(conflicts), Strategy.PESSIMISTIC);
		assertThat(join(store.acquire(attempt(), 0, Queueing.NO, 0))).isInstanceOf(AcquireReply.Owned.class);
		assertThat(conflicts).hasNegativeValue();
	}

	@Test
	void conflictThatPersistsAtTheCommitIsARefusalAndLeavesTheLockFree() {
		LockStore store = store(TestDatabase.H2, conflictAtCommit(new AtomicInteger(Integer.MAX_VALUE)),
				Strategy.PESSIMISTIC);
		assertThatExceptionOfType(CompletionException.class)
			.isThrownBy(() -> join(store.acquire(attempt(), 0, Queueing.NO, 0)))
			.satisfies((failure) -> assertThat(store.failureOf(failure)).isEqualTo(LockStore.FailedCall.REFUSED));
		LockStore other = store(TestDatabase.H2, TestDatabase.H2.dataSource(), Strategy.OPTIMISTIC);
		assertThat(join(other.acquire(attempt(), 0, Queueing.NO, 0))).isInstanceOf(AcquireReply.Owned.class);
	}

	/** A pool gives a session to others once it is given back, PgBouncer even before. */
	@ParameterizedTest
	@CsvSource({ "MARIADB, OPTIMISTIC", "MARIADB, PESSIMISTIC", "POSTGRESQL, OPTIMISTIC", "POSTGRESQL, PESSIMISTIC" })
	void nothingIsLeftInASessionThatOthersGet(TestDatabase database, Strategy strategy) {
		Map<Connection, List<String>> before = new ConcurrentHashMap<>();
		JdbcLockStore store = (JdbcLockStore) store(database, wrapped(database.dataSource(), (connection, method) -> {
			if (method.equals("getConnection")) {
				before.put(connection, settings(database, connection));
			}
			return method.equals("close");
		}), strategy);
		store.listen(Mockito.mock(LockPushes.class));
		for (int permits : new int[] { 1, 3 }) {
			LockAttempt owner = new LockAttempt(this.lock + permits, UUID.randomUUID().toString(), 60_000, permits);
			join(store.acquire(owner, 0, Queueing.NO, 0));
			join(store.acquire(new LockAttempt(owner.lock(), "0i:1", 60_000, 1), 0, Queueing.TAIL, 0));
			join(store.renew(owner));
			join(store.inspect(owner.lock()));
			join(store.release(owner, 0, 0));
			join(store.forceRelease(owner.lock()));
		}
		join(store.createRow(this.lock));
		store.idleRows().purge().join();
		if (database == TestDatabase.POSTGRESQL) {
			Awaitility.await().until(() -> before.size() == 4);
			before.forEach((connection, settings) -> assertThat(settings(database, connection))
				// the one that listens
				.filteredOn((setting) -> !setting.equals("distributed_lock"))
				.isEqualTo(settings));
		}
		store.close();
		before.forEach((connection, settings) -> Awaitility.await()
			.untilAsserted(() -> assertThat(settings(database, connection)).isEqualTo(settings)));
	}

	private static List<String> settings(TestDatabase database, Connection connection) {
		JdbcTemplate sql = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
		return (database == TestDatabase.POSTGRESQL)
				? sql.queryForList(
						"SELECT name || '=' || setting FROM pg_settings UNION ALL" + " SELECT pg_listening_channels()",
						String.class)
				: sql.query("SHOW SESSION VARIABLES", (row, i) -> row.getString(1) + "=" + row.getString(2))
					.stream()
					.filter((setting) -> !setting
						.matches("(timestamp|.*identity|.*insert_id|rand_seed.*|.*_count|in_transaction|.*gtid.*)=.*"))
					.toList();
	}

	private LockAttempt attempt() {
		return new LockAttempt(this.lock, UUID.randomUUID().toString(), 60_000, 1);
	}

	private LockStore store(TestDatabase database, DataSource dataSource, Strategy strategy) {
		JdbcLockSettings settings = JdbcLockSettings.defaults().withStrategy(strategy).withCreateTables(true);
		DatabaseDialect dialect = new LockTableCheck(database.dataSource(), settings).run();
		LockStore store = new JdbcLockStore(dataSource, this.clock, settings, dialect);
		this.stores.add(store);
		return store;
	}

	private static <T> T join(CompletionStage<T> reply) {
		return reply.toCompletableFuture().join();
	}

	private static DataSource repeatableRead(DataSource dataSource, boolean always) {
		return wrapped(dataSource, (connection, method) -> {
			if (method.equals("getConnection") || (always && method.equals("setTransactionIsolation"))) {
				connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
				return true;
			}
			return false;
		});
	}

	/** As a node of Galera finds another one's write. */
	private static DataSource conflictAtCommit(AtomicInteger conflicts) {
		return wrapped(TestDatabase.H2.dataSource(), (connection, method) -> {
			if (method.equals("commit") && conflicts.getAndDecrement() > 0) {
				connection.rollback();
				throw new SQLException("Deadlock found", "40001", 1213);
			}
			return false;
		});
	}

	private static DataSource wrapped(DataSource dataSource, Interceptor interceptor) {
		return new DelegatingDataSource(dataSource) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				interceptor.isDone(connection, "getConnection");
				ProxyFactory proxy = new ProxyFactory(connection);
				proxy.addAdvice((MethodInterceptor) (call) -> {
					boolean done = interceptor.isDone(connection, call.getMethod().getName());
					return done ? null : call.proceed();
				});
				return (Connection) proxy.getProxy();
			}

		};
	}

	/** Called before a method of a connection. */
	private interface Interceptor {

		/** Return whether the method is done. */
		boolean isDone(Connection connection, String method) throws SQLException;

	}

}
