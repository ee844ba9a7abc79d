package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.LockState;
import io.github.lockboot.LockState.Holder;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.support.LockHolders;
import io.github.lockboot.fencing.SqlStates;

/**
 * Locks that several attempts share. The row of the lock is locked first, then the rows
 * of its holders are counted and changed.
 */
final class SharedLocks {

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private SharedLocks() {
	}

	/**
	 * Acquire a lock.
	 * @param waits whether the attempt continues to request a busy lock
	 * @param notified whether the attempt can be notified of a release meanwhile
	 */
	static AcquireReply acquire(LockConnection connection, LockAttempt attempt, long seenToken, boolean waits,
			boolean notified) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockTable table = transaction.table();
			LockRow row = lock(transaction, name);
			if (!row.exists()) {
				transaction.update(table.insertFree, name);
			}
			if (row.isHeld() && !row.isShared()) {
				return busy(transaction, name, row, row.leftMicros(), waits, notified);
			}
			Holders holders = holders(transaction, name, row, attempt);
			if (!holders.own && row.wanted()) {
				return new AcquireReply.Busy(LockTable.millis(Math.max(0, row.leftMicros())));
			}
			if (!holders.own && holders.others >= attempt.permits()) {
				return busy(transaction, name, row, holders.othersMicros, waits, notified);
			}
			long token = Math.max(row.token(), seenToken);
			if (token == 0) {
				token = transaction.query(SharedLocks::number, "SELECT " + table.dialect().micros());
			}
			// a holder that repeats its request keeps the rest of a longer lease
			share(transaction, name, attempt, holders, token,
					Math.max(holders.ownMicros, LockTable.leaseMicros(attempt)));
			return new AcquireReply.Owned(token, token, LockStore.UNKNOWN_QUEUE);
		});
	}

	private static AcquireReply busy(LockConnection transaction, Object name, LockRow row, long leftMicros,
			boolean waits, boolean notified) throws SQLException {
		boolean awaited = waits
				&& (ReleaseNotifications.isAwaited(row) || ReleaseNotifications.await(transaction, name));
		return new AcquireReply.Busy(LockTable.millis(leftMicros), notified && awaited);
	}

	/**
	 * Add an attempt to the holders, and let the lock expire with the last holder.
	 */
	private static void share(LockConnection transaction, Object name, LockAttempt attempt, Holders holders, long token,
			long leaseMicros) throws SQLException {
		LockTable table = transaction.table();
		if (holders.own) {
			transaction.update(table.holders.delete, name, attempt.id());
		}
		transaction.update(table.holders.insert, name, attempt.id(), leaseMicros);
		transaction.update(table.share, Math.max(holders.othersMicros, leaseMicros), token, name);
	}

	static RenewReply renew(LockConnection connection, LockAttempt attempt) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockRow row = lockIfUnlocked(transaction, name);
			if (row.isHeld() && attempt.id().equals(row.owner())) {
				// exclusively: the statement for all leases has skipped the row
				throw rowLocked();
			}
			Holders holders = row.isShared() ? holders(transaction, name, row, attempt) : Holders.NONE;
			if (!holders.own) {
				return NOT_OWNER;
			}
			share(transaction, name, attempt, holders, row.token(), LockTable.leaseMicros(attempt));
			return new RenewReply.Renewed(row.token(), LockStore.UNKNOWN_QUEUE);
		});
	}

	static boolean release(LockConnection connection, LockAttempt attempt) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			Holders holders = row.isShared() ? holders(transaction, name, row, attempt) : Holders.NONE;
			if (!holders.own) {
				return false;
			}
			transaction.update(transaction.table().holders.delete, name, attempt.id());
			if (holders.others == 0) {
				free(transaction, name, row.token());
			}
			else {
				transaction.update(transaction.table().share, holders.othersMicros, row.token(), name);
			}
			return true;
		});
	}

	static RenewReply downgrade(LockConnection connection, LockAttempt attempt, long usedToken) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			if (!row.isHeld() || !attempt.id().equals(row.owner())) {
				return NOT_OWNER;
			}
			transaction.update(transaction.table().holders.deleteAll, name);
			long token = (usedToken > 0) ? usedToken : row.token();
			share(transaction, name, attempt, Holders.NONE, token, LockTable.leaseMicros(attempt));
			return new RenewReply.Renewed(token, LockStore.UNKNOWN_QUEUE);
		});
	}

	static boolean forceRelease(LockConnection connection, String lock) throws SQLException {
		Object name = connection.table().key(lock);
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			if (!row.isHeld()) {
				return false;
			}
			transaction.update(transaction.table().holders.deleteAll, name);
			free(transaction, name, row.token());
			return true;
		});
	}

	static LockState inspect(LockConnection connection, String lock) throws SQLException {
		Object name = connection.table().key(lock);
		return connection.inTransaction((transaction) -> {
			LockRow row = transaction.query(LockRow::read, transaction.table().select, name);
			if (!row.isHeld()) {
				return new LockState(lock, null, null, row.token(), 0, 0);
			}
			String owner = String.valueOf(row.owner());
			List<Holder> holders = new ArrayList<>();
			if (row.isShared()) {
				holders.addAll(transaction.query(SharedLocks::owners, transaction.table().holders.selectOwners, name));
			}
			else {
				holders.add(transaction.query((found) -> Requester.holder(owner, found),
						transaction.table().selectHolder, name, owner));
			}
			return new LockState(lock, owner, Duration.ofMillis(LockTable.millis(row.leftMicros())), row.token(),
					holders.size(), 0, holders.subList(0, Math.min(holders.size(), LockHolders.MOST_SHOWN)));
		});
	}

	/** Return the holders that share a lock, of which the table keeps only the ids. */
	private static List<Holder> owners(ResultSet rows) throws SQLException {
		List<Holder> owners = new ArrayList<>();
		while (rows.next()) {
			owners.add(Holder.unknown(rows.getString(1)));
		}
		return owners;
	}

	private static void free(LockConnection transaction, Object name, long token) throws SQLException {
		transaction.update(transaction.table().free, token, name);
	}

	private static LockRow lock(LockConnection transaction, Object name) throws SQLException {
		return transaction.query(LockRow::read, transaction.table().selectForUpdate, name);
	}

	private static LockRow lockIfUnlocked(LockConnection transaction, Object name) throws SQLException {
		LockRow row = transaction.query(LockRow::read, transaction.table().selectUnlocked, name);
		if (!row.exists() && transaction.query(LockRow::read, transaction.table().select, name).exists()) {
			throw rowLocked();
		}
		return row;
	}

	private static SQLException rowLocked() {
		return new SQLException("A transaction has locked the row of the lock", SqlStates.ROW_LOCKED);
	}

	/** Return the holders, after the removal of those whose leases are over. */
	private static Holders holders(LockConnection transaction, Object name, LockRow row, LockAttempt attempt)
			throws SQLException {
		LockTable table = transaction.table();
		transaction.update(row.isShared() ? table.holders.deleteExpired : table.holders.deleteAll, name);
		return transaction.query(Holders::read, table.holders.select, attempt.id(), attempt.id(), attempt.id(), name);
	}

	private static long number(ResultSet rows) throws SQLException {
		rows.next();
		return rows.getLong(1);
	}

	/**
	 * The holders of a lock, from the view of one attempt.
	 *
	 * @param othersMicros time until the last lease of the other attempts ends, in
	 * microseconds
	 * @param ownMicros time until the lease of the attempt ends, in microseconds
	 */
	private record Holders(long others, long othersMicros, boolean own, long ownMicros) {

		static final Holders NONE = new Holders(0, 0, false, 0);

		static Holders read(ResultSet rows) throws SQLException {
			rows.next();
			long ownMicros = rows.getLong(3);
			boolean own = !rows.wasNull();
			return new Holders(rows.getLong(1), rows.getLong(2), own, ownMicros);
		}

	}

}
