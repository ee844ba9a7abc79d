package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;

import io.github.lockboot.LockState;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * Locks that several share. The row of the lock is locked first, then the rows of its
 * holders are counted and changed.
 */
final class SharedLocks {

	private static final RenewReply NOT_OWNER = new RenewReply.NotOwner();

	private SharedLocks() {
	}

	static AcquireReply acquire(LockConnection connection, LockOwner attempt, long seenToken) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		if (!connection.query(LockRow::read, connection.table().select, name).exists()) {
			insertFree(connection, name);
		}
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			if (!row.exists()) {
				throw new SQLException("The row of the lock was deleted", "40001");
			}
			if (row.isHeld() && !row.isShared()) {
				return new AcquireReply.Busy(JdbcLockStore.millis(row.leftMicros()));
			}
			LockTable table = transaction.table();
			transaction.update(table.deleteExpiredHolders, name);
			boolean isHolder = transaction.update(table.deleteHolder, name, attempt.id()) == 1;
			if (row.wanted() && !isHolder) {
				return new AcquireReply.Busy(JdbcLockStore.millis(Math.max(0, row.leftMicros())));
			}
			Holders others = holders(transaction, name);
			if (others.count >= attempt.permits()) {
				return new AcquireReply.Busy(JdbcLockStore.millis(others.leftMicros));
			}
			long token = Math.max(row.token(), seenToken);
			if (token == 0) {
				token = transaction.query(SharedLocks::number, "SELECT " + table.dialect().micros());
			}
			share(transaction, name, attempt, token);
			return new AcquireReply.Owned(token, token, LockStore.UNKNOWN_QUEUE);
		});
	}

	private static void insertFree(LockConnection connection, Object name) throws SQLException {
		try {
			connection.update(connection.table().insertFree, name);
		}
		catch (SQLException ex) {
			if (!SqlStates.isDuplicate(ex)) {
				throw ex;
			}
		}
	}

	/**
	 * Make an attempt one of the holders, and let the lock expire with the last of them.
	 */
	private static void share(LockConnection transaction, Object name, LockOwner attempt, long token)
			throws SQLException {
		LockTable table = transaction.table();
		transaction.update(table.insertHolder, name, attempt.id(), JdbcLockStore.leaseMicros(attempt));
		transaction.update(table.share, holders(transaction, name).leftMicros, token, name);
	}

	static RenewReply renew(LockConnection connection, LockOwner attempt) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			if (!row.isShared() || !leave(transaction, name, attempt)) {
				return NOT_OWNER;
			}
			share(transaction, name, attempt, row.token());
			return new RenewReply.Renewed(row.token(), LockStore.UNKNOWN_QUEUE);
		});
	}

	static boolean release(LockConnection connection, LockOwner attempt) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			if (!row.isShared() || !leave(transaction, name, attempt)) {
				return false;
			}
			Holders left = holders(transaction, name);
			if (left.count == 0) {
				free(transaction, name, row.token());
			}
			else {
				transaction.update(transaction.table().share, left.leftMicros, row.token(), name);
			}
			return true;
		});
	}

	/** Remove a holder, and return whether it was one until now. */
	private static boolean leave(LockConnection transaction, Object name, LockOwner attempt) throws SQLException {
		transaction.update(transaction.table().deleteExpiredHolders, name);
		return transaction.update(transaction.table().deleteHolder, name, attempt.id()) == 1;
	}

	static RenewReply downgrade(LockConnection connection, LockOwner attempt, long usedToken) throws SQLException {
		Object name = connection.table().key(attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			if (!row.isHeld() || !attempt.id().equals(row.owner())) {
				return NOT_OWNER;
			}
			transaction.update(transaction.table().deleteHolders, name);
			share(transaction, name, attempt, usedToken);
			return new RenewReply.Renewed(usedToken, LockStore.UNKNOWN_QUEUE);
		});
	}

	static boolean forceRelease(LockConnection connection, String lock) throws SQLException {
		Object name = connection.table().key(lock);
		return connection.inTransaction((transaction) -> {
			LockRow row = lock(transaction, name);
			if (!row.isHeld()) {
				return false;
			}
			transaction.update(transaction.table().deleteHolders, name);
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
			long holders = row.isShared() ? holders(transaction, name).count : 1;
			return new LockState(lock, row.owner(), Duration.ofMillis(JdbcLockStore.millis(row.leftMicros())),
					row.token(), holders, 0);
		});
	}

	private static void free(LockConnection transaction, Object name, long token) throws SQLException {
		transaction.update(transaction.table().free, token, name);
	}

	private static LockRow lock(LockConnection transaction, Object name) throws SQLException {
		return transaction.query(LockRow::read, transaction.table().selectForUpdate, name);
	}

	private static Holders holders(LockConnection transaction, Object name) throws SQLException {
		return transaction.query((rows) -> {
			rows.next();
			return new Holders(rows.getLong(1), rows.getLong(2));
		}, transaction.table().countHolders, name);
	}

	private static long number(ResultSet rows) throws SQLException {
		rows.next();
		return rows.getLong(1);
	}

	private record Holders(long count, long leftMicros) {

	}

}
