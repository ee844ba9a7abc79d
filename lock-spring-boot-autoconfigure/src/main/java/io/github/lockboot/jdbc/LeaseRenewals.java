package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * Renews the leases that are due at the same time together, by two statements for many.
 * Thread-safe.
 */
final class LeaseRenewals {

	private static final int MOST = 500;

	private final LockWorkers workers;

	private final ConcurrentLinkedQueue<Renewal> due = new ConcurrentLinkedQueue<>();

	LeaseRenewals(LockWorkers workers) {
		this.workers = workers;
	}

	void renew(LockOwner attempt, CompletableFuture<RenewReply> reply) {
		this.due.add(new Renewal(attempt, reply));
		CompletableFuture<Void> turn = new CompletableFuture<>();
		this.workers.execute(turn, this::renewDue);
		turn.whenComplete((done, failure) -> {
			if (failure != null) {
				reply.completeExceptionally(failure);
			}
		});
	}

	/** Renew all that are due, of which an earlier turn may have left none. */
	@SuppressWarnings("NullAway") // Void is nullable by nature
	private Void renewDue(LockConnection connection) throws SQLException {
		List<Renewal> batch = new ArrayList<>();
		Renewal next = this.due.poll();
		while (next != null) {
			batch.add(next); // even if its caller has given up: it may shorten a lease
			next = (batch.size() < MOST) ? this.due.poll() : null;
		}
		Map<Long, List<Renewal>> byLease = batch.stream()
			.collect(Collectors.groupingBy((renewal) -> renewal.attempt.leaseMillis()));
		for (List<Renewal> renewals : byLease.values()) {
			try {
				renew(connection, renewals);
			}
			catch (SQLException | RuntimeException ex) {
				if (ex instanceof SQLException failure && SqlStates.isRetried(failure)) {
					this.due.addAll(batch); // for another try of this turn, or for the
											// next one
				}
				else {
					batch.forEach((renewal) -> renewal.reply.completeExceptionally(ex));
				}
				throw ex;
			}
		}
		return null;
	}

	private static void renew(LockConnection connection, List<Renewal> renewals) throws SQLException {
		LockTable table = connection.table();
		// a power of two, so that few statements are prepared
		int count = Integer.highestOneBit(2 * renewals.size() - 1);
		LockOwner first = renewals.get(0).attempt;
		Object[] names = parameters(count, renewals, (attempt) -> table.key(attempt.lock()));
		Object[] owners = parameters(count, renewals, LockOwner::id);
		Object[] selected = Stream.of(names, owners).flatMap(Stream::of).toArray();
		Object[] updated = Stream
			.of(new Object[] { JdbcLockStore.leaseMicros(first), JdbcLockStore.aheadMicros(first) }, selected)
			.flatMap(Stream::of)
			.toArray();
		connection.update(table.renew(count), updated);
		Map<String, Long> tokens = connection.query(LeaseRenewals::tokens, table.renewed(count), selected);
		for (Renewal renewal : renewals) {
			Long token = tokens.get(renewal.attempt.id());
			renewal.reply.complete((token != null) ? new RenewReply.Renewed(token, LockStore.UNKNOWN_QUEUE)
					: SharedLocks.renew(connection, renewal.attempt));
		}
	}

	/** Repeats the last parameter until there are enough. */
	private static Object[] parameters(int count, List<Renewal> renewals, Function<LockOwner, Object> parameter) {
		Object[] parameters = new Object[count];
		for (int i = 0; i < count; i++) {
			parameters[i] = parameter.apply(renewals.get(Math.min(i, renewals.size() - 1)).attempt);
		}
		return parameters;
	}

	private static Map<String, Long> tokens(ResultSet rows) throws SQLException {
		Map<String, Long> tokens = new HashMap<>();
		while (rows.next()) {
			tokens.put(rows.getString(1), rows.getLong(2));
		}
		return tokens;
	}

	private record Renewal(LockOwner attempt, CompletableFuture<RenewReply> reply) {

	}

}
