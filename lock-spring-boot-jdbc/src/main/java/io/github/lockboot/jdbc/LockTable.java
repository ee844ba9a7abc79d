package io.github.lockboot.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.engine.store.LockAttempt;

/**
 * The table of locks and the table of the holders of shared locks, with the statements of
 * one dialect. A row remains when its lock is released, to keep the fencing token.
 * <ul>
 * <li>{@code owner}: the attempt that owns the lock, {@code shared} while several
 * attempts share the lock, {@code NULL} if the lock is free</li>
 * <li>{@code token}: the highest fencing token that may have been issued</li>
 * <li>{@code acquired_at}, {@code expires_at}: the lease, in microseconds since 1970 by
 * the time of the database. The former is after all tokens that were issued before</li>
 * <li>{@code wanted_until}: until when nobody else may share the lock, because a caller
 * waits to acquire it exclusively</li>
 * <li>{@code waiting_until}: until when callers of other JVMs are assumed to wait for a
 * release</li>
 * <li>{@code state}, {@code host}, {@code process}, {@code thread}: who acquired the lock
 * last, for people</li>
 * </ul>
 */
final class LockTable {

	/** The owner of a lock that several attempts share. */
	static final String SHARED = "shared";

	/** How many rows are purged, or read for a list, by one query. */
	static final int MOST_AT_ONCE = 500;

	/** Length of the column {@code name}, in characters. */
	static final int LONGEST_NAME = 255;

	private static final int DIGEST = 64;

	private static final long AHEAD_MILLIS = 1000;

	private static final long MOST_JITTER_MICROS = TimeUnit.MILLISECONDS.toMicros(100);

	private static final String SKIP_LOCKED = " SKIP LOCKED";

	private final DatabaseDialect dialect;

	private final String prefix;

	/**
	 * Parameters: seen token, ahead, lease, owner, host, process, thread, name. Acquires
	 * a free lock.
	 */
	final String acquire;

	/**
	 * Parameters: ahead, seen token, ahead, lease, name, owner. For the repeated request
	 * of an owner, which reserves no further tokens.
	 */
	final String acquireAgain;

	/** Parameters: name, owner, seen token, ahead, lease, host, process, thread. */
	final String insert;

	/** Parameter: name. Columns of {@link LockRow}. */
	final String select;

	/** Like {@link #select}, and locks the row until the transaction ends. */
	final String selectForUpdate;

	/** Like {@link #selectForUpdate}, but finds no row that others have locked. */
	final String selectUnlocked;

	/**
	 * Parameter: name. Columns: name, one if the lock is held. At most
	 * {@link #MOST_AT_ONCE} rows, which follow the name.
	 */
	final String selectNext;

	/** Parameters: microseconds, name. */
	final String want;

	/** Parameters: microseconds, name, microseconds that are left at least. */
	final String await;

	/**
	 * Parameters: used token, used token, name, owner. For a lock for which nobody waits.
	 */
	final String release;

	/** The same for a lock for which somebody waits. */
	final String releaseAwaited;

	/** Parameters: channel, payload, name. */
	final String notifyWaiters;

	/** Parameters: lease, used token, used token, name, owner. */
	final String releaseLater;

	/** Parameters: microseconds of the lease, token, name. */
	final String share;

	/** Parameters: token, name. */
	final String free;

	/** Parameter: name. */
	final String insertFree;

	/**
	 * Parameter: name. For a row that transactions lock, without a lease.
	 */
	final String insertForTransactions;

	/** Parameter: name. Lets a row for transactions become idle later. */
	final String touch;

	/** Parameter: name. */
	final String delete;

	/**
	 * Parameters: age in microseconds, twice. Column: name. At most {@link #MOST_AT_ONCE}
	 * rows.
	 */
	final String selectIdle;

	/** Parameters: name, age in microseconds, twice. */
	final String deleteIdle;

	/** Parameter: age in microseconds. */
	final String deleteIdleHolders;

	/** Parameter: name. */
	final String deleteExpiredHolders;

	/** Parameters: name, owner. */
	final String deleteHolder;

	/** Parameter: name. */
	final String deleteHolders;

	/** Parameters: name, owner, lease. */
	final String insertHolder;

	/**
	 * Parameters: owner, owner, owner, name. Columns: number of other holders,
	 * microseconds until the last one expires, microseconds until this holder expires or
	 * null.
	 */
	final String selectHolders;

	/** Parameter: name. Column: owner. */
	final String selectOwners;

	/** Parameters: name, owner. Columns of {@link Requester#holder}. */
	final String selectHolder;

	private final String lockOwned;

	private final String renew;

	LockTable(DatabaseDialect dialect, JdbcLockSettings settings) {
		this.dialect = dialect;
		this.prefix = settings.keyPrefix();
		String table = settings.table();
		String now = dialect.micros();
		String holders = table + "_holder";
		// acquired_at comes first: in MySQL what follows an assignment reads the new
		// value
		this.acquire = dialect
			.returningToken("UPDATE " + table + " SET acquired_at = GREATEST(token, " + now + "), token = "
					+ dialect.remembered("GREATEST(token, " + now + " - 1, ?) + 1 + ?") + ", expires_at = " + now
					+ " + ?, owner = ?, wanted_until = 0, " + (dialect.hasNotifications() ? "waiting_until = 0, " : "")
					+ "state = 'HELD', host = ?, process = ?, thread = ?" + " WHERE name = ? AND expires_at <= " + now);
		this.acquireAgain = dialect.returningToken("UPDATE " + table + " SET token = "
				+ dialect.remembered("GREATEST(token - ? - 1, " + now + " - 1, ?) + 1 + ?")
				+ ", expires_at = GREATEST(expires_at, " + now + " + ?) WHERE name = ? AND owner = ? AND expires_at > "
				+ now);
		this.insert = dialect.returningToken("INSERT INTO " + table
				+ " (name, owner, token, acquired_at, expires_at, state, host, process, thread) VALUES (?, ?, "
				+ dialect.remembered("GREATEST(" + now + " - 1, ?) + 1 + ?") + ", " + now + ", " + now
				+ " + ?, 'HELD', ?, ?, ?)");
		this.select = "SELECT owner, token, expires_at - " + now + ", wanted_until - " + now + ", waiting_until - "
				+ now + " FROM " + table + " WHERE name = ?";
		this.selectForUpdate = this.select + " FOR UPDATE";
		this.selectUnlocked = this.selectForUpdate + SKIP_LOCKED;
		this.selectNext = "SELECT name, CASE WHEN owner IS NOT NULL AND expires_at > " + now
				+ " THEN 1 ELSE 0 END FROM " + table + " WHERE name > ? ORDER BY name LIMIT " + MOST_AT_ONCE;
		this.want = "UPDATE " + table + " SET wanted_until = " + now + " + ? WHERE name = ? AND owner = '" + SHARED
				+ "'";
		String owned = " WHERE name = ? AND owner = ? AND expires_at > " + now;
		String used = "token = CASE WHEN ? > 0 THEN ? ELSE token END";
		this.releaseAwaited = "UPDATE " + table + " SET expires_at = 0, owner = NULL, state = 'FREE', " + used + owned
				+ dialect.withoutFlush();
		this.release = this.releaseAwaited + " AND waiting_until <= " + now;
		String unmarked = " WHERE name = ? AND expires_at > " + now + " AND waiting_until < " + now + " + ?";
		// a row that a transaction has locked must not delay a waiter; MySQL can't select
		// that
		this.await = "UPDATE " + table + " SET waiting_until = " + now + " + ?" + (dialect.hasNotifications()
				? " WHERE name = (SELECT name FROM " + table + unmarked + " FOR UPDATE" + SKIP_LOCKED + ")" : unmarked);
		this.notifyWaiters = "SELECT pg_notify(?, ?) FROM " + table + " WHERE name = ? AND waiting_until > " + now;
		this.releaseLater = "UPDATE " + table + " SET expires_at = " + now + " + ?, " + used + owned;
		this.share = "UPDATE " + table + " SET owner = '" + SHARED + "', state = 'SHARED', expires_at = " + now
				+ " + ?, token = ? WHERE name = ?";
		this.free = "UPDATE " + table + " SET owner = NULL, state = 'FREE', expires_at = 0, token = ? WHERE name = ?";
		this.insertFree = "INSERT INTO " + table
				+ " (name, token, acquired_at, expires_at, state) VALUES (?, 0, 0, 0, 'FREE')";
		this.insertForTransactions = "INSERT INTO " + table
				+ " (name, token, acquired_at, expires_at, state) VALUES (?, " + now + ", " + now + ", " + now
				+ ", 'TX')";
		this.touch = "UPDATE " + table + " SET token = " + now + ", expires_at = " + now + " WHERE name = ?";
		this.lockOwned = "SELECT owner, GREATEST(token, " + now + " + ?) FROM " + table + " WHERE expires_at > " + now
				+ " AND name IN ";
		this.renew = "UPDATE " + table + " SET expires_at = " + now + " + ?, token = GREATEST(token, " + now
				+ " + ?) WHERE name IN ";
		this.delete = "DELETE FROM " + table + " WHERE name = ?";
		String idle = "expires_at < " + now + " - ? AND token < " + now + " - ?";
		this.selectIdle = "SELECT name FROM " + table + " WHERE " + idle + " LIMIT " + MOST_AT_ONCE;
		this.deleteIdle = this.delete + " AND " + idle;
		this.deleteIdleHolders = "DELETE FROM " + holders + " WHERE expires_at < " + now + " - ?";
		this.deleteExpiredHolders = "DELETE FROM " + holders + " WHERE name = ? AND expires_at <= " + now;
		this.deleteHolder = "DELETE FROM " + holders + " WHERE name = ? AND owner = ?";
		this.deleteHolders = "DELETE FROM " + holders + " WHERE name = ?";
		this.insertHolder = "INSERT INTO " + holders + " (name, owner, expires_at) VALUES (?, ?, " + now + " + ?)";
		this.selectHolders = "SELECT COUNT(CASE WHEN owner <> ? THEN 1 END), COALESCE(MAX(CASE WHEN owner <> ? THEN expires_at END) - "
				+ now + ", 0), MAX(CASE WHEN owner = ? THEN expires_at END) - " + now + " FROM " + holders
				+ " WHERE name = ?";
		this.selectOwners = "SELECT owner FROM " + holders + " WHERE name = ?";
		this.selectHolder = "SELECT host, process, thread, acquired_at FROM " + table + " WHERE name = ? AND owner = ?";
	}

	DatabaseDialect dialect() {
		return this.dialect;
	}

	/**
	 * Return the statement that locks the rows of a number of leases, except locked rows,
	 * and selects their next tokens. The name of an attempt is unique, so it belongs to
	 * only one of the locks. Parameters: ahead, names, owners. Columns: owner, token.
	 */
	String lockOwned(int leases) {
		return this.lockOwned + parameters(leases) + " AND owner IN " + parameters(leases) + " FOR UPDATE"
				+ SKIP_LOCKED;
	}

	/**
	 * Return the statement that renews a number of leases. Parameters: lease, ahead,
	 * names.
	 */
	String renew(int leases) {
		return this.renew + parameters(leases);
	}

	private static String parameters(int count) {
		return "(" + "?, ".repeat(count - 1) + "?)";
	}

	/** Return the name of a lock with the prefix of all names. */
	String prefixed(String lockName) {
		return this.prefix + lockName;
	}

	/**
	 * Return the value of the column {@code name}. The value of a long name is the
	 * beginning of the name with a digest of the whole name.
	 */
	Object key(String lockName) {
		return stored(prefixed(lockName));
	}

	/**
	 * Return the name of a lock from the value of {@link #key}; a long name is cut. The
	 * name is empty if the row belongs to others.
	 */
	String lockName(Object key) {
		String name = (key instanceof byte[] bytes) ? new String(bytes, StandardCharsets.UTF_8) : key.toString();
		return name.startsWith(this.prefix) ? name.substring(this.prefix.length()) : "";
	}

	/** Return the value of {@link #key} for a lock that transactions hold. */
	Object keyForTransactions(String lockName) {
		return stored("transaction/" + prefixed(lockName));
	}

	private Object stored(String lock) {
		if (lock.length() <= LONGEST_NAME) {
			return this.dialect.name(lock);
		}
		int end = LONGEST_NAME - DIGEST - 1;
		int whole = Character.isHighSurrogate(lock.charAt(end - 1)) ? end - 1 : end;
		return this.dialect.name(lock.substring(0, whole) + '~' + digest(lock));
	}

	private static String digest(String lock) {
		try {
			return HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(lock.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static long leaseMicros(LockAttempt attempt) {
		return TimeUnit.MILLISECONDS.toMicros(attempt.leaseMillis());
	}

	/** Return how many tokens are reserved for the passing of a lease within this JVM. */
	static long aheadMicros(LockAttempt attempt) {
		return TimeUnit.MILLISECONDS.toMicros(Math.min(attempt.leaseMillis(), AHEAD_MILLIS));
	}

	/**
	 * Return the highest {@code acquired_at} of the lease to which a token belongs.
	 * Renewals raise the token of the row, but do not change this column. The row of a
	 * later lease has a higher value even if it has the same owner because of a late
	 * request. A tolerance is added, because a statement reads the clock more than once.
	 */
	static long latestAcquiredMicros(LockAttempt attempt, long token) {
		return token + Math.min(leaseMicros(attempt) / 4, MOST_JITTER_MICROS);
	}

	static long millis(long micros) {
		return TimeUnit.MICROSECONDS.toMillis(micros + 999);
	}

}
