package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.JdbcTemplate;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.LockStoreContract;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.fixture.TestDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ParameterizedClass
@CsvSource({ "H2, OPTIMISTIC", "H2, PESSIMISTIC", "MARIADB, OPTIMISTIC", "MARIADB, PESSIMISTIC",
		"POSTGRESQL, OPTIMISTIC", "POSTGRESQL, PESSIMISTIC" })
class JdbcLockStoreTests extends LockStoreContract {

	private final TestDatabase database;

	private final JdbcLockSettings.Strategy strategy;

	JdbcLockStoreTests(TestDatabase database, JdbcLockSettings.Strategy strategy) {
		this.database = database;
		this.strategy = strategy;
	}

	@Test
	void repeatedRequestsReserveNoFurtherTokens() {
		LockAttempt owner = new LockAttempt(UUID.randomUUID().toString(), "0d:1", 60_000, 1);
		AcquireReply.Owned first = owned(owner);
		AcquireReply.Owned last = first;
		for (int i = 0; i < 30; i++) {
			last = owned(owner);
		}
		assertThat(last.token()).isGreaterThanOrEqualTo(first.token());
		assertThat(last.reserved() - first.reserved()).isLessThan(20_000_000);
	}

	private AcquireReply.Owned owned(LockAttempt owner) {
		return (AcquireReply.Owned) store().acquire(owner, 0, Queueing.NO, 0).toCompletableFuture().join();
	}

	@Test
	void aRowThatATransactionHasLockedDelaysNoRenewalOfOtherLocks() throws Exception {
		String prefix = UUID.randomUUID() + ":";
		List<LockAttempt> owners = IntStream.range(0, 3)
			.mapToObj((i) -> new LockAttempt(prefix + i, "0f:" + i, 60_000, (i == 2) ? 3 : 1))
			.toList();
		owners.forEach((owner) -> store().acquire(owner, 0, Queueing.NO, 0).toCompletableFuture().join());
		try (Connection transaction = this.database.dataSource().getConnection()) {
			transaction.setAutoCommit(false);
			lockRow(transaction, prefix + 1);
			lockRow(transaction, prefix + 2);
			List<CompletableFuture<RenewReply>> replies = owners.stream()
				.map((owner) -> store().renew(owner).toCompletableFuture())
				.toList();
			assertThat(replies.get(0).join()).isInstanceOf(RenewReply.Renewed.class);
			assertThat(replies.subList(1, 3))
				.allSatisfy((reply) -> assertThatExceptionOfType(CompletionException.class).isThrownBy(reply::join)
					.withMessageContaining("A transaction has locked the row"));
			transaction.rollback();
		}
		assertThat(owners).allSatisfy((owner) -> assertThat(store().renew(owner).toCompletableFuture().join())
			.isInstanceOf(RenewReply.Renewed.class));
	}

	@Test
	void aRowThatATransactionHasLockedIsBusyAndNotTakenLater() throws Exception {
		String name = "locked:" + UUID.randomUUID();
		LockAttempt first = new LockAttempt(name, "0f:1", 60_000, 1);
		store().acquire(first, 0, Queueing.NO, 0).toCompletableFuture().join();
		store().release(first, 0, 0).toCompletableFuture().join();
		try (Connection transaction = this.database.dataSource().getConnection()) {
			transaction.setAutoCommit(false);
			lockRow(transaction, name);
			assertThat(store().acquire(new LockAttempt(name, "0f:2", 60_000, 1), 0, Queueing.NO, 0)
				.toCompletableFuture()
				.join()).isInstanceOf(AcquireReply.Busy.class);
			transaction.rollback();
		}
		assertThat(store().acquire(new LockAttempt(name, "0f:3", 60_000, 1), 0, Queueing.NO, 0)
			.toCompletableFuture()
			.join()).isInstanceOf(AcquireReply.Owned.class);
	}

	private void lockRow(Connection transaction, String lock) throws SQLException {
		DatabaseDialect dialect = DatabaseDialect.of(transaction);
		LockTable table = new LockTable(dialect, JdbcLockSettings.defaults());
		assertThat(LockConnection.of(transaction, table)
			.query(LockRow::read, table.selectForUpdate, table.key(lock))
			.exists()).isTrue();
	}

	@Test
	void aCallerThatLocksAgainFindsTheLockFreeThoughNobodyAwaitedTheRelease() {
		String name = "again:" + UUID.randomUUID();
		for (int i = 0; i < 300; i++) {
			LockAttempt owner = new LockAttempt(name, "0g:" + i, 60_000, 1);
			AcquireReply reply = store().acquire(owner, 0, Queueing.NO, Long.MAX_VALUE).toCompletableFuture().join();
			assertThat(reply).isInstanceOfSatisfying(AcquireReply.Owned.class,
					(owned) -> store().release(owner, owned.token(), 0));
		}
	}

	@Test
	void aReleaseShowsWhetherOthersWait() {
		String name = "awaited:" + UUID.randomUUID();
		LockAttempt owner = new LockAttempt(name, "0h:1", 60_000, 1);
		for (int permits : new int[] { 1, 3 }) {
			owned(owner);
			assertThat(released(owner)).isEqualTo(ReleaseReply.UNAWAITED);
			owned(owner);
			LockAttempt waiter = new LockAttempt(name, "0h:2", 60_000, permits);
			store().acquire(waiter, 0, Queueing.NO, 0).toCompletableFuture().join();
			store().acquire(waiter, 0, Queueing.TAIL, 0).toCompletableFuture().join();
			assertThat(released(owner)).isEqualTo(ReleaseReply.RELEASED);
			name = "shared-" + name;
			owner = new LockAttempt(name, "0h:3", 60_000, 1);
		}
	}

	@Test
	void aWriterWhoHasWaitedBeforeTheClockWentBackKeepsNoReaderOutOfAFreeLock() {
		LockAttempt owner = new LockAttempt("wanted:" + UUID.randomUUID(), "0j:1", 60_000, 1);
		owned(owner);
		released(owner);
		new JdbcTemplate(this.database.dataSource())
			.update("UPDATE distributed_lock SET wanted_until = token + 3600000000 WHERE name = 'lock:" + owner.lock()
					+ "'");
		owned(new LockAttempt(owner.lock(), "0j:2", 60_000, 3));
	}

	@Test
	void moreThanAThousandHeldLocksAmongFreeOnesAreListedInPages() {
		String name = UUID.randomUUID() + ":";
		JdbcTemplate sql = new JdbcTemplate(this.database.dataSource());
		sql.update(IntStream.range(1000, 1000 + 5 * LockTable.MOST_AT_ONCE)
			.mapToObj((i) -> "('lock:" + name + i + "', 'jvm:1', 1, 1, " + (i % 2) * (Long.MAX_VALUE / 2) + ", 'HELD')")
			.collect(Collectors.joining(", ",
					"INSERT INTO distributed_lock (name, owner, token, acquired_at, expires_at, state) VALUES ", "")));
		List<String> first = list(name + "*", "");
		List<String> second = list(name + "*", first.get(first.size() - 1));
		sql.update("DELETE FROM distributed_lock WHERE name LIKE 'lock:" + name + "%'");
		assertThat(first).hasSize(1000).startsWith(name + 1001);
		assertThat(second).hasSize(250).startsWith(name + 3001).endsWith(name + 3499);
	}

	private List<String> list(String pattern, String after) {
		return store().administration().list(pattern, after, 1000).toCompletableFuture().join();
	}

	private ReleaseReply released(LockAttempt owner) {
		return store().release(owner, 0, 0).toCompletableFuture().join();
	}

	@Override
	protected LockStore newStore(MonotonicClock clock) {
		return TestStores.store(this.database, clock, this.strategy);
	}

}
