package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.fencing.SqlStates;

/**
 * Renews the leases that are due at about the same time together, with two statements for
 * many leases. Thread-safe.
 */
final class LeaseRenewals {

	private static final int MOST = 500;

	/** The engine requests the renewals of many leases within this time. */
	private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final LockWorkers workers;

	private final MonotonicClock clock;

	private final BlockingDeque<Renewal> due = new LinkedBlockingDeque<>();

	private final AtomicBoolean gathering = new AtomicBoolean();

	private volatile boolean closed;

	LeaseRenewals(LockWorkers workers, MonotonicClock clock) {
		this.workers = workers;
		this.clock = clock;
	}

	void renew(LockAttempt attempt, CompletableFuture<RenewReply> reply) {
		this.due.add(new Renewal(attempt, reply));
		if (this.closed) {
			takeTurn();
		}
		else if (this.gathering.compareAndSet(false, true)) {
			this.clock.schedule(this.clock.nanoTime() + GATHERING_NANOS, this::takeTurn);
		}
	}

	/** Renew an attempt before a later call changes its lease. */
	void flush(LockAttempt attempt) {
		if (this.due.stream().anyMatch((renewal) -> renewal.attempt.id().equals(attempt.id()))) {
			takeTurn();
		}
	}

	/** Fail the renewals that were not sent, once the workers are closed. */
	void close() {
		this.closed = true;
		takeTurn();
	}

	private void takeTurn() {
		this.gathering.set(false);
		CompletableFuture<Void> turn = new CompletableFuture<>();
		this.workers.execute(turn, this::renewDue);
		turn.whenComplete((done, failure) -> {
			if (failure != null) {
				List<Renewal> left = new ArrayList<>();
				this.due.drainTo(left);
				left.forEach((renewal) -> renewal.reply.completeExceptionally(failure));
			}
		});
	}

	/** Renew all leases that are due. An earlier turn may have renewed all of them. */
	@SuppressWarnings("NullAway") // a Void is always null
	private Void renewDue(LockConnection connection) throws SQLException {
		List<Renewal> batch = next();
		while (!batch.isEmpty()) {
			renewTogether(connection, batch);
			batch = next();
		}
		return null;
	}

	/**
	 * Take the next renewals, even if a caller has given up, because a renewal may
	 * shorten a lease. A later renewal of the same lease waits for the next batch, since
	 * the last one counts.
	 */
	private List<Renewal> next() {
		Map<String, Renewal> batch = new LinkedHashMap<>();
		Renewal first = this.due.peek();
		while (first != null && batch.size() < MOST && !batch.containsKey(first.attempt.id())
				&& this.due.remove(first)) {
			batch.put(first.attempt.id(), first);
			first = this.due.peek();
		}
		return List.copyOf(batch.values());
	}

	private void renewTogether(LockConnection connection, List<Renewal> batch) throws SQLException {
		Map<Long, List<Renewal>> byLease = batch.stream()
			.collect(Collectors.groupingBy((renewal) -> renewal.attempt.leaseMillis()));
		for (List<Renewal> renewals : byLease.values()) {
			try {
				renew(connection, renewals);
			}
			catch (SQLException | RuntimeException | Error ex) {
				if (ex instanceof SQLException failure && SqlStates.isRetried(failure)) {
					// for another attempt of this turn, before later renewals
					for (int i = batch.size() - 1; i >= 0; i--) {
						this.due.addFirst(batch.get(i));
					}
				}
				else {
					batch.forEach((renewal) -> renewal.reply.completeExceptionally(ex));
				}
				throw ex;
			}
		}
	}

	/**
	 * Renew leases. A row that a transaction has locked, such as the transaction of the
	 * holder before its commit, must not delay the others.
	 */
	private static void renew(LockConnection connection, List<Renewal> renewals) throws SQLException {
		Map<String, Long> tokens = connection.inTransaction((transaction) -> {
			Map<String, Long> locked = transaction.query(LeaseRenewals::tokens,
					transaction.table().leases.lockOwned(count(renewals)),
					parameters(Stream.of(LockTable.aheadMicros(renewals.get(0).attempt)), transaction, renewals, true));
			List<Renewal> owned = renewals.stream()
				.filter((renewal) -> locked.containsKey(renewal.attempt.id()))
				.toList();
			if (!owned.isEmpty()) {
				LockAttempt first = owned.get(0).attempt;
				transaction.update(transaction.table().leases.renew(count(owned)),
						parameters(Stream.of(LockTable.leaseMicros(first), LockTable.aheadMicros(first)), transaction,
								owned, false));
			}
			return locked;
		});
		for (Renewal renewal : renewals) {
			Long token = tokens.get(renewal.attempt.id());
			if (token != null) {
				renewal.reply.complete(new RenewReply.Renewed(token, LockStore.UNKNOWN_QUEUE));
			}
			else {
				renewShared(connection, renewal);
			}
		}
	}

	/**
	 * Renew the lease of a shared lock. Only this renewal fails if a transaction has
	 * locked the row, or had done so a moment ago.
	 */
	private static void renewShared(LockConnection connection, Renewal renewal) throws SQLException {
		try {
			renewal.reply.complete(SharedLocks.renew(connection, renewal.attempt));
		}
		catch (SQLException ex) {
			if (SqlStates.isRetried(ex) || !SqlStates.isRefusal(ex)) {
				throw ex;
			}
			renewal.reply.completeExceptionally(ex);
		}
	}

	/**
	 * Return the number of parameters: a power of two, so that few statements are
	 * prepared.
	 */
	private static int count(List<Renewal> renewals) {
		return Integer.highestOneBit(2 * renewals.size() - 1);
	}

	private static Object[] parameters(Stream<Object> times, LockConnection connection, List<Renewal> renewals,
			boolean withOwners) {
		Stream<Object> names = repeated(renewals, (attempt) -> connection.table().key(attempt.lock()));
		Stream<Object> owners = withOwners ? repeated(renewals, LockAttempt::id) : Stream.empty();
		return Stream.of(times, names, owners).flatMap((parameters) -> parameters).toArray();
	}

	/** Repeat the last parameter until there are enough. */
	private static Stream<Object> repeated(List<Renewal> renewals, Function<LockAttempt, Object> parameter) {
		return IntStream.range(0, count(renewals))
			.mapToObj((i) -> parameter.apply(renewals.get(Math.min(i, renewals.size() - 1)).attempt));
	}

	private static Map<String, Long> tokens(ResultSet rows) throws SQLException {
		Map<String, Long> tokens = new HashMap<>();
		while (rows.next()) {
			tokens.put(rows.getString(1), rows.getLong(2));
		}
		return tokens;
	}

	private record Renewal(LockAttempt attempt, CompletableFuture<RenewReply> reply) {

	}

}
