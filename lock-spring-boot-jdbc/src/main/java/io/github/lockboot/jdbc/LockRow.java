package io.github.lockboot.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;

import org.jspecify.annotations.Nullable;

/**
 * The columns of a lock that a statement has read.
 *
 * @param owner the owner, even if its lease is over
 * @param token highest fencing token that may have been issued
 * @param leftMicros how long the lease still runs, in microseconds; not positive if it is
 * over
 * @param wanted whether a caller waits to acquire the lock exclusively; a mark of before
 * the clock went back does not count
 * @param waitingMicros for how long a release still notifies waiting callers
 */
record LockRow(boolean exists, @Nullable String owner, long token, long leftMicros, boolean wanted,
		long waitingMicros) {

	static LockRow read(ResultSet rows) throws SQLException {
		return rows.next() ? new LockRow(true, rows.getString(1), rows.getLong(2), rows.getLong(3),
				isWanted(rows.getLong(4)), rows.getLong(5)) : new LockRow(false, null, 0, 0, false, 0);
	}

	private static boolean isWanted(long micros) {
		return micros > 0 && micros <= ExclusiveAttempt.WANTED_MICROS;
	}

	boolean isHeld() {
		return this.owner != null && this.leftMicros > 0;
	}

	boolean isShared() {
		return isHeld() && LockTable.SHARED.equals(this.owner);
	}

}
