package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.RedisProxy;
import io.github.lockboot.fixture.TestDatabase;
import io.github.lockboot.jdbc.transaction.JdbcTransactionLocks;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Connections that end while nobody uses them, and databases that are down: callers who
 * do not wait.
 */
@ParameterizedClass
@CsvSource({ "MARIADB, PESSIMISTIC", "POSTGRESQL, OPTIMISTIC" })
@Timeout(120)
@Tag("long")
class ConnectionLossTests {

	private final DatabaseServer server;

	private final JdbcTemplate sql;

	private final RedisProxy proxy;

	private final DataSource dataSource;

	private final AtomicInteger opened = new AtomicInteger();

	private final JdbcLockTemplate locks;

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final String name = "test:" + UUID.randomUUID() + ":";

	ConnectionLossTests(TestDatabase database, JdbcLockSettings.Strategy strategy) {
		this.server = database.server();
		this.sql = new JdbcTemplate(database.dataSource());
		this.proxy = new RedisProxy(this.server);
		String options = (database == TestDatabase.MARIADB)
				? "?useServerPrepStmts=true&connectTimeout=5000&socketTimeout=5000"
				: "?connectTimeout=5&socketTimeout=5";
		this.dataSource = new DelegatingDataSource(
				new DriverManagerDataSource(this.server.url(this.proxy.address()) + options,
						(database == TestDatabase.MARIADB) ? "root" : "postgres", "")) {

			@Override
			public Connection getConnection() throws SQLException {
				ConnectionLossTests.this.opened.incrementAndGet();
				return super.getConnection();
			}

		};
		this.locks = new JdbcLockTemplate(this.dataSource,
				JdbcLockSettings.defaults().withCreateTables(true).withStrategy(strategy), List.of());
		useAll();
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.locks.close();
		this.proxy.close();
	}

	@Test
	void connectionsThatTheServerHasJustEndedFailNoCall() {
		for (int i = 0; i < 3; i++) {
			killAll();
			useAll();
		}
	}

	@Test
	void connectionsThatTheServerHasEndedWhileIdleFailNoCall() {
		killAll();
		idle();
		useAll();
	}

	@Test
	void connectionsThatAProxyHasCutFailNoCall() {
		for (int i = 0; i < 3; i++) {
			this.proxy.cut();
			useAll();
		}
		this.proxy.cut();
		idle();
		useAll();
	}

	@Test
	void connectionsThatAFirewallHasForgottenFailNoCall() {
		idle();
		this.proxy.drop();
		long start = System.nanoTime();
		useAll();
		assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
	}

	@Test
	void theTestOfAConnectionTakesNoLongerThanItsCallerWaits() throws SQLException {
		JdbcLockSettings settings = JdbcLockSettings.defaults();
		try (LockConnection connection = LockConnection.open(this.dataSource, settings)) {
			assertThat(connection.isAlive()).isTrue();
			this.proxy.drop();
			connection.limit(TimeUnit.MILLISECONDS.toNanos(100));
			long start = System.nanoTime();
			assertThat(connection.isAlive()).isFalse();
			assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MILLISECONDS.toNanos(900));
		}
	}

	/** No connection is free, so the thread of the caller does not send it. */
	@Test
	void theReplyToACallerFailsOnceItsTimeIsOver() {
		CountDownLatch end = new CountDownLatch(1);
		DataSource blocked = new DelegatingDataSource(this.dataSource) {

			@Override
			public Connection getConnection() throws SQLException {
				try {
					end.await();
				}
				catch (InterruptedException ex) {
					throw new SQLException(ex);
				}
				return super.getConnection();
			}

		};
		MonotonicClock clock = new SystemClock("lock-timer");
		JdbcLockStore store = new JdbcLockStore(blocked, clock,
				JdbcLockSettings.defaults().withStatementTimeout(Duration.ofMinutes(1)), DatabaseDialect.POSTGRESQL);
		try {
			CompletionStage<?> reply = store.acquire(new LockAttempt(this.name, "0a:1", 60_000, 1), 0,
					LockStore.Queueing.NO, TimeUnit.SECONDS.toNanos(1));
			Awaitility.await()
				.atMost(Duration.ofSeconds(20))
				.until(() -> reply.toCompletableFuture().isCompletedExceptionally());
		}
		finally {
			end.countDown();
			store.close();
			clock.close();
		}
	}

	@Test
	void aHolderKeepsItsLockOverACutAndReleasesIt() {
		LockRequest request = LockRequest.of(this.name).leaseTime(Duration.ofSeconds(3)).waitTime(Duration.ZERO);
		LockHandle lock = acquired(request);
		long token = lock.fencingToken();
		for (int i = 0; i < 3; i++) {
			killAll();
			idle();
			assertThat(lock.isHeld()).isTrue();
		}
		this.proxy.cut();
		lock.close();
		// the first connections after the cut may fail
		Awaitility.await()
			.ignoreExceptionsInstanceOf(LockUnavailableException.class)
			.until(() -> !this.locks.inspect(this.name).isHeld());
		try (LockHandle next = acquired(request)) {
			assertThat(next.fencingToken()).isGreaterThan(token);
		}
	}

	@Test
	void aTransactionAcquiresItsLockAfterACut() {
		TransactionTemplate transaction = new TransactionTemplate(
				new JdbcTransactionManager(new DriverManagerDataSource(this.server.url(this.proxy.address()),
						(this.server.kind() == DatabaseServer.Kind.MARIADB) ? "root" : "postgres", "")));
		JdbcTransactionLocks transactionLocks = new JdbcTransactionLocks(this.locks);
		for (int i = 0; i < 3; i++) {
			String lock = this.name + i;
			killAll();
			transaction.executeWithoutResult(
					(status) -> assertThat(transactionLocks.tryAcquire(LockRequest.of(lock).waitTime(Duration.ZERO)))
						.isTrue());
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callsAreAnsweredAtOnceWhileTheDatabaseIsDownOrFrozenAndSoonAfterItReplies(boolean down) {
		Runnable fault = down ? this.server::kill : this.server::freeze;
		Runnable repair = down ? this.server::start : this.server::thaw;
		fault.run();
		try {
			assertThatCallsFailAtOnce();
		}
		finally {
			repair.run();
		}
		assertThatCallsSucceedSoon();
	}

	/** After the first ones, which find out that the database is down. */
	private void assertThatCallsFailAtOnce() {
		for (int i = 0; i < 3; i++) {
			assertThat(fails()).isTrue();
		}
		int openedBefore = this.opened.get();
		long start = System.nanoTime();
		for (int i = 0; i < 1000; i++) {
			assertThat(fails()).isTrue();
		}
		long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
		assertThat(seconds).isLessThan(20);
		// two kinds of connections, with pauses of a quarter of a second at least
		assertThat(this.opened.get() - openedBefore).isLessThan((int) (10 * (seconds + 1) + 30));
	}

	private boolean fails() {
		try {
			this.locks.tryAcquire(LockRequest.of(this.name + UUID.randomUUID()).waitTime(Duration.ZERO));
			return false;
		}
		catch (LockUnavailableException ex) {
			return true;
		}
	}

	private void assertThatCallsSucceedSoon() {
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> !fails());
		useAll();
	}

	private void killAll() {
		if (this.server.kind() == DatabaseServer.Kind.MARIADB) {
			this.sql
				.queryForList("SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID()"
						+ " AND user = 'root'", Long.class)
				.forEach(this::kill);
			return;
		}
		this.sql.queryForList("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
				+ " AND backend_type = 'client backend'");
	}

	private void kill(long id) {
		try {
			this.sql.execute("KILL " + id);
		}
		catch (UncategorizedSQLException ex) {
			assertThat(ex).hasMessageContaining("Unknown thread id"); // ended meanwhile
		}
	}

	private void idle() {
		long start = System.nanoTime();
		Awaitility.await().until(() -> System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(1200));
	}

	/** Use all connections, by calls of each kind that do not wait. */
	private void useAll() {
		List<Future<?>> calls = new ArrayList<>();
		for (int i = 0; i < 2; i++) {
			calls.add(this.threads.submit(() -> {
				String lock = this.name + UUID.randomUUID();
				LockRequest request = LockRequest.of(lock).waitTime(Duration.ZERO);
				acquired(request).close();
				acquired(LockRequest.of(lock + "s").shared().waitTime(Duration.ZERO)).close();
				acquired(LockRequest.of(lock + "p").permits(3).waitTime(Duration.ZERO)).close();
				try (LockHandle handle = acquired(LockRequest.of(lock + "i").waitTime(Duration.ZERO))) {
					assertThat(this.locks.inspect(lock + "i").isHeld()).isEqualTo(handle.isHeld());
				}
			}));
		}
		for (Future<?> call : calls) {
			try {
				call.get(60, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
		}
	}

	private LockHandle acquired(LockRequest request) {
		return Objects.requireNonNull(this.locks.tryAcquire(request), "The lock is busy");
	}

}
