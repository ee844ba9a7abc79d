package io.github.lockboot.jdbc;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.actuate.LockHealthIndicator;
import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Callers whose own connections are in an unusual state, and databases that end while
 * they call.
 */
@ParameterizedClass
@EnumSource
@ExtendWith(OutputCaptureExtension.class)
class JdbcLockCallersTests extends TwoInstancesOnADatabase {

	private static final int CONNECTIONS = 2;

	@AutoClose
	private final HikariDataSource pool = new HikariDataSource();

	private final JdbcClient pooled = JdbcClient.create(this.pool);

	private final TransactionTemplate pooledTransaction = new TransactionTemplate(
			new JdbcTransactionManager(this.pool));

	JdbcLockCallersTests(TestDatabase database) {
		super(database, (settings) -> settings.withStatementTimeout(Duration.ofSeconds(1)),
				(settings) -> settings.withStatementTimeout(Duration.ofSeconds(1)));
		this.pool.setDataSource(database.dataSource());
		this.pool.setMaximumPoolSize(CONNECTIONS);
		this.pool.setConnectionTimeout(20_000);
	}

	@Test
	void aSerializableTransactionOfTheCallerNeitherFailsNorSeesOldLocks() {
		this.pooledTransaction.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
		this.pooledTransaction.executeWithoutResult((status) -> {
			this.pooled.sql("SELECT COUNT(*) FROM information_schema.tables").query(Integer.class).single();
			for (int i = 0; i < 3; i++) {
				try (LockHandle other = this.otherLocks.acquire(LockRequest.of(this.name + "shared").shared());
						LockHandle mine = this.locks.acquire(LockRequest.of(this.name + "shared").shared());
						LockHandle exclusive = this.locks.acquire(LockRequest.of(this.name))) {
					assertThat(List.of(other, mine, exclusive)).allMatch(LockHandle::isHeld);
					assertThat(this.otherLocks.tryAcquire(this.once)).isNull();
				}
			}
		});
	}

	@Test
	void anotherSchemaOfTheCallersConnectionChangesNothing() {
		this.pooledTransaction.executeWithoutResult((status) -> {
			this.pooled.sql(switch (this.database) {
				case H2 -> "SET SCHEMA INFORMATION_SCHEMA";
				case MARIADB -> "USE mysql";
				case POSTGRESQL -> "SET LOCAL search_path = pg_catalog";
			}).update();
			try (LockHandle lock = this.locks.acquire(LockRequest.of(this.name))) {
				assertThat(lock.isHeld()).isTrue();
			}
			finally {
				this.pooled.sql(switch (this.database) {
					case H2 -> "SET SCHEMA PUBLIC";
					case MARIADB -> "USE test";
					case POSTGRESQL -> "SET LOCAL search_path = public";
				}).update();
			}
		});
	}

	@Test
	void callersThatHoldAllConnectionsOfThePoolGetTheLockInTurn() throws Exception {
		LockHandle first = this.otherLocks.acquire(LockRequest.of(this.name).leaseTime(Duration.ofSeconds(1)));
		CountDownLatch waiting = new CountDownLatch(CONNECTIONS);
		List<Future<?>> callers = new ArrayList<>();
		for (int i = 0; i < CONNECTIONS; i++) {
			callers.add(this.threads.submit(() -> this.pooledTransaction.executeWithoutResult((status) -> {
				waiting.countDown();
				this.locks.execute(LockRequest.of(this.name).waitTime(Duration.ofSeconds(60)),
						() -> assertThat(this.pooled.sql("SELECT 1").query(Integer.class).single()).isEqualTo(1));
			})));
		}
		assertThat(waiting.await(60, TimeUnit.SECONDS)).isTrue();
		Awaitility.await()
			.during(Duration.ofMillis(1200))
			.until(() -> first.isHeld() && this.pool.getHikariPoolMXBean().getIdleConnections() == 0);
		first.close();
		for (Future<?> caller : callers) {
			caller.get(60, TimeUnit.SECONDS);
		}
	}

	@Test
	void namesThatCollationsConfuseAreDifferentLocks() {
		List<String> names = List.of("e", "E", "\u00e9", "e\u0301", "e ", " e", "\u00df", "ss", "\u0130", "i", "\uff45",
				"\ud83d\ude00", "\ud83d\ude01", "%", "_", "'", "e\u200b");
		List<LockHandle> held = new ArrayList<>();
		for (String suffix : names) {
			held.add(this.locks.acquire(LockRequest.of(this.name + suffix)));
		}
		for (String suffix : names) {
			assertThat(this.otherLocks.tryAcquire(LockRequest.of(this.name + suffix).waitTime(Duration.ZERO)))
				.as(suffix)
				.isNull();
			assertThat(this.otherLocks.inspect(this.name + suffix).name()).isEqualTo(this.name + suffix);
		}
		held.forEach(LockHandle::close);
	}

	@Test
	void aDatabaseThatEndsAndRestartsKeepsTheLockOfItsHolder(CapturedOutput output) throws Exception {
		DatabaseServer server = this.database.server();
		LockHandle lock = this.locks.acquire(LockRequest.of(this.name).leaseTime(Duration.ofSeconds(20)));
		server.kill();
		try {
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> this.otherLocks.acquire(LockRequest.of(this.name).waitTime(Duration.ofMillis(500))))
				.withMessageContaining("The database of the locks can't be reached");
			assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
			assertThat(lock.isHeld()).isTrue();
			assertThat(health().getStatus()).isEqualTo(Status.DOWN);
			Awaitility.await()
				.until(() -> health().getStatus().equals(Status.DOWN)
						&& output.getAll().contains("The database has been unreachable for the locks since"));
		}
		finally {
			server.start();
		}
		Awaitility.await().until(() -> health().getStatus().equals(Status.UP));
		Awaitility.await().until(() -> output.getAll().contains("The database is back for the locks after"));
		assertThat(this.otherLocks.tryAcquire(this.once)).isNull();
		assertThat(this.otherLocks.inspect(this.name).isHeld()).isTrue();
		lock.close();
		assertThat(this.otherLocks.tryExecute(LockRequest.of(this.name).waitTime(Duration.ofSeconds(20)), () -> {
		})).isTrue();
	}

	private Health health() {
		return new LockHealthIndicator(this.otherLocks).health();
	}

	@Test
	void aFrozenDatabaseHoldsNoCallerUpForLongerThanItsWaitTime() {
		DatabaseServer server = this.database.server();
		JdbcLockSettings patient = JdbcLockSettings.defaults().withStatementTimeout(Duration.ofSeconds(60));
		try (JdbcLockTemplate locks = new JdbcLockTemplate(this.database.dataSource(), patient, List.of())) {
			locks.acquire(LockRequest.of(this.name)).close(); // its connections are open
			server.freeze();
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> locks.acquire(LockRequest.of(this.name).waitTime(Duration.ofMillis(1500))));
			assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(30));
		}
		finally {
			server.thaw();
		}
	}

	@Test
	void aFrozenDatabaseFailsCallersAfterTheirWaitTimeAndTheStatementTimeout() {
		DatabaseServer server = this.database.server();
		server.freeze();
		try {
			long start = System.nanoTime();
			assertThatExceptionOfType(LockUnavailableException.class)
				.isThrownBy(() -> this.locks.acquire(LockRequest.of(this.name).waitTime(Duration.ofMillis(500))));
			assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(20));
		}
		finally {
			server.thaw();
		}
		assertThat(this.locks.tryExecute(LockRequest.of(this.name).waitTime(Duration.ofSeconds(20)), () -> {
		})).isTrue();
	}

}
