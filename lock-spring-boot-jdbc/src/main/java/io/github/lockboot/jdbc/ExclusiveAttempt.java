package io.github.lockboot.jdbc;

import java.sql.SQLException;

import io.github.lockboot.concurrent.Backoff;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.LockAttempt;

/**
 * One request for an exclusive lock, with one of the two strategies. If another
 * connection inserts the row meanwhile, the request fails with a duplicate and is
 * repeated.
 *
 * @param seenToken highest fencing token of this lock that this JVM has seen, or zero
 * @param waits whether the attempt continues to request a busy lock
 * @param notified whether the attempt can be notified of a release meanwhile
 */
record ExclusiveAttempt(LockAttempt attempt, Requester requester, long seenToken, boolean waits, boolean notified) {

	/** How often a lock is requested that others acquire and release at the same time. */
	private static final int MOST_TRIES = 5;

	/** For how long nobody else may share a lock that a waiter wants exclusively. */
	static final long WANTED_MICROS = Backoff.LONGEST_NANOS * 3 / 1000;

	/** Acquire the lock with one statement if it is free, whatever others do. */
	AcquireReply optimistic(LockConnection connection) throws SQLException {
		LockTable table = connection.table();
		Object name = table.key(this.attempt.lock());
		for (int tries = 0; tries < MOST_TRIES; tries++) {
			long token = acquire(connection, name);
			if (token != DatabaseDialect.NONE) {
				return owned(token);
			}
			LockRow row = connection.query(LockRow::read, table.select, name);
			if (isOwned(row)) {
				token = acquireAgain(connection, name);
				if (token != DatabaseDialect.NONE) {
					return owned(token);
				}
			}
			else if (row.isHeld()) {
				boolean awaited = ReleaseNotifications.isAwaited(row);
				if (this.waits && !awaited && ReleaseNotifications.await(connection, name) && this.notified) {
					continue; // the lock may have been released just before
				}
				return busy(connection, name, row, awaited);
			}
			else if (!row.exists()) {
				return owned(insert(connection, name));
			}
		}
		return new AcquireReply.Busy(0); // others are faster
	}

	/**
	 * Lock the row first, then read and change it. A request that finds the row locked
	 * does not wait.
	 */
	AcquireReply pessimistic(LockConnection connection) throws SQLException {
		LockTable table = connection.table();
		Object name = table.key(this.attempt.lock());
		return connection.inTransaction((transaction) -> {
			LockRow row = transaction.query(LockRow::read, table.selectUnlocked, name);
			if (!row.exists()) {
				LockRow locked = transaction.query(LockRow::read, table.select, name);
				return locked.exists() ? new AcquireReply.Busy(LockTable.millis(Math.max(0, locked.leftMicros())))
						: owned(insert(transaction, name));
			}
			if (row.isHeld() && !isOwned(row)) {
				return busy(transaction, name, row, this.waits
						&& (ReleaseNotifications.isAwaited(row) || ReleaseNotifications.await(transaction, name)));
			}
			long token = isOwned(row) ? acquireAgain(transaction, name) : acquire(transaction, name);
			return (token != DatabaseDialect.NONE) ? owned(token) : new AcquireReply.Busy(0);
		});
	}

	private boolean isOwned(LockRow row) {
		return row.isHeld() && this.attempt.id().equals(row.owner());
	}

	private long acquire(LockConnection connection, Object name) throws SQLException {
		return connection.token(connection.table().leases.acquire, this.seenToken, ahead(),
				LockTable.leaseMicros(this.attempt), this.attempt.id(), this.requester.host(), this.requester.process(),
				this.requester.thread(), name);
	}

	private long acquireAgain(LockConnection connection, Object name) throws SQLException {
		return connection.token(connection.table().leases.acquireAgain, ahead(), this.seenToken, ahead(),
				LockTable.leaseMicros(this.attempt), name, this.attempt.id());
	}

	private long insert(LockConnection connection, Object name) throws SQLException {
		return connection.token(connection.table().leases.insert, name, this.attempt.id(), this.seenToken, ahead(),
				LockTable.leaseMicros(this.attempt), this.requester.host(), this.requester.process(),
				this.requester.thread());
	}

	private AcquireReply busy(LockConnection connection, Object name, LockRow row, boolean awaited)
			throws SQLException {
		if (row.isShared() && this.waits) {
			connection.update(connection.table().leases.want, WANTED_MICROS, name);
			// has to repeat the mark soon
			return new AcquireReply.Busy(LockTable.millis(row.leftMicros()));
		}
		return new AcquireReply.Busy(LockTable.millis(row.leftMicros()), this.notified && awaited);
	}

	private AcquireReply owned(long reserved) {
		return new AcquireReply.Owned(reserved - ahead(), reserved, LockStore.UNKNOWN_QUEUE);
	}

	private long ahead() {
		return LockTable.aheadMicros(this.attempt);
	}

}
