package io.github.lockboot.jdbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mockito.Mockito;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;
import io.github.lockboot.engine.SteppedClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LeaseRenewalsTests {

	@ParameterizedTest
	@EnumSource
	void leasesOfSeveralBatchesAreRenewedAtOnce(TestDatabase database) {
		try (MonotonicClock clock = new SystemClock("lock-timer");
				LockStore store = TestStores.store(database, clock)) {
			String prefix = UUID.randomUUID() + ":";
			List<LockAttempt> owners = IntStream.range(0, 1100)
				.mapToObj((i) -> new LockAttempt(prefix + i, "0e:" + i, 60_000, 1))
				.toList();
			owners.forEach((owner) -> store.acquire(owner, 0, Queueing.NO, 0).toCompletableFuture().join());
			List<CompletableFuture<RenewReply>> replies = owners.stream()
				.map((owner) -> store.renew(owner).toCompletableFuture())
				.toList();
			assertThat(replies).allSatisfy((reply) -> assertThat(reply.join()).isInstanceOf(RenewReply.Renewed.class));
		}
	}

	/** The statement for all leases skips a row that a waiter has locked for a moment. */
	@ParameterizedTest
	@EnumSource
	void aRowThatWasLockedForAMomentIsNotLost(TestDatabase database) throws SQLException {
		JdbcLockSettings settings = JdbcLockSettings.defaults();
		try (MonotonicClock clock = new SystemClock("lock-timer");
				LockStore store = TestStores.store(database, clock);
				LockConnection connection = LockConnection.open(database.dataSource(), settings)) {
			LockAttempt owner = new LockAttempt(UUID.randomUUID().toString(), "0e:1", 60_000, 1);
			store.acquire(owner, 0, Queueing.NO, 0).toCompletableFuture().join();
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> SharedLocks.renew(connection, owner))
				.withMessage("A transaction has locked the row of the lock");
			assertThat(store.renew(owner).toCompletableFuture().join()).isInstanceOf(RenewReply.Renewed.class);
		}
	}

	@ParameterizedTest
	@EnumSource(names = "H2")
	void renewalsThatWereNotSentFailWhenTheStoreIsClosed(TestDatabase database) {
		LockStore store = TestStores.store(database, new SteppedClock());
		LockAttempt attempt = new LockAttempt(UUID.randomUUID().toString(), "0e:1", 60_000, 1);
		CompletableFuture<RenewReply> before = store.renew(attempt).toCompletableFuture();
		store.close();
		assertThat(before).isCompletedExceptionally();
		assertThat(store.renew(attempt).toCompletableFuture()).isCompletedExceptionally();
	}

	@ParameterizedTest
	@EnumSource(names = "H2")
	void theLastOfTheRenewalsOfALeaseCounts(TestDatabase database) {
		SteppedClock clock = new SteppedClock();
		try (JdbcLockStore store = TestStores.store(database, clock)) {
			LockAttempt owner = new LockAttempt(UUID.randomUUID().toString(), "0e:1", 60_000, 1);
			store.acquire(owner, 0, Queueing.NO, 0).toCompletableFuture().join();
			Stream.of(60_000L, 9_999L).map(owner::withLeaseMillis).forEach(store::renew);
			CompletionStage<RenewReply> last = store.renew(owner.withLeaseMillis(60_000));
			clock.advance(clock.untilNext());
			assertThat(last.toCompletableFuture().join()).isInstanceOf(RenewReply.Renewed.class);
			assertThat(store.inspect(owner.lock()).toCompletableFuture().join().remaining())
				.isGreaterThan(Duration.ofSeconds(50));
		}
	}

	@Test
	void aReleaseDoesNotOvertakeARenewalWhoseTurnTheTimerTakes() {
		SteppedClock clock = new SteppedClock();
		LockWorkers workers = Mockito.mock(LockWorkers.class);
		LeaseRenewals renewals = new LeaseRenewals(workers, clock);
		LockAttempt attempt = new LockAttempt("a", "0e:1", 60_000, 1);
		Mockito.doAnswer((call) -> {
			renewals.flush(attempt); // on another thread, before the turn is among the
										// tasks
			return null;
		}).doNothing().when(workers).execute(Mockito.any(), Mockito.any());
		renewals.renew(attempt, new CompletableFuture<>());
		clock.advance(clock.untilNext());
		Mockito.verify(workers, Mockito.times(2)).execute(Mockito.any(), Mockito.any());
	}

}
