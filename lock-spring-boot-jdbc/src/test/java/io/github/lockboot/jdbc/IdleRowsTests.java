package io.github.lockboot.jdbc;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.store.LockStore.AcquireReply.Owned;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;

@ParameterizedClass
@EnumSource
@Tag("long")
class IdleRowsTests {

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final JdbcLockStore store;

	private final JdbcTemplate sql;

	private final LockAttempt attempt = new LockAttempt("idle:" + UUID.randomUUID(), "0e:1", 60_000, 1);

	IdleRowsTests(TestDatabase database) {
		this.store = TestStores.store(database, this.clock);
		this.sql = new JdbcTemplate(database.dataSource());
	}

	@AfterEach
	void close() {
		this.store.close();
		this.clock.close();
	}

	@Test
	void aLockThatNobodyAcquiredForADayIsDeletedAndItsTokensGrow() {
		long token = acquire();
		this.store.release(this.attempt, token, 0).toCompletableFuture().join();
		assertThat(this.store.idleRows().purge().join()).isZero();
		age();
		assertThat(this.store.idleRows().purge().join()).isEqualTo(1);
		assertThat(acquire()).isGreaterThan(token);
	}

	@Test
	void aLockThatIsHeldForDaysIsKept() {
		acquire();
		age();
		assertThat(this.store.idleRows().purge().join()).isZero();
		this.store.release(this.attempt, 0, 0).toCompletableFuture().join();
		this.store.idleRows().purge().join();
	}

	@Test
	void allBatchesAreDeleted() {
		List<Object[]> names = IntStream.rangeClosed(0, 2 * LockTable.MOST_AT_ONCE)
			.mapToObj((i) -> new Object[] { "batch:" + i })
			.toList();
		// with one connection
		this.sql.batchUpdate("INSERT INTO distributed_lock (name, token, acquired_at, expires_at, state)"
				+ " VALUES (?, 1, 1, 0, 'FREE')", names);
		assertThat(this.store.idleRows().purge().join()).isEqualTo(2 * LockTable.MOST_AT_ONCE + 1);
	}

	private void age() {
		this.sql.update(
				"UPDATE distributed_lock SET token = token - " + TimeUnit.HOURS.toMicros(25) + " WHERE name = ?",
				"lock:" + this.attempt.lock());
	}

	private long acquire() {
		return ((Owned) this.store.acquire(this.attempt, 0, Queueing.NO, 0).toCompletableFuture().join()).token();
	}

}
