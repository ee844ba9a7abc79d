package io.github.lockboot.jdbc;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.github.lockboot.engine.store.LockStore.LockAttempt;

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

	/** The clause by which a query finds no row that others have locked. */
	static final String SKIP_LOCKED = " SKIP LOCKED";

	private static final int DIGEST = 64;

	private static final long AHEAD_MILLIS = 1000;

	private static final long MOST_JITTER_MICROS = TimeUnit.MILLISECONDS.toMicros(100);

	private final DatabaseDialect dialect;

	private final String prefix;

	/** The statements for locks that one attempt owns. */
	final LeaseStatements leases;

	/** The statements for the holders of shared locks. */
	final HolderStatements holders;

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

	/** Parameters: name, owner. Columns of {@link Requester#holder}. */
	final String selectHolder;

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

	LockTable(DatabaseDialect dialect, JdbcLockSettings settings) {
		this.dialect = dialect;
		this.prefix = settings.keyPrefix();
		UnaryOperator<String> sql = (template) -> template.replace("{table}", settings.table())
			.replace("{holders}", settings.table() + "_holder")
			.replace("{now}", dialect.micros())
			.replace("{briefly}", dialect.briefly());
		this.leases = new LeaseStatements(dialect, sql);
		this.holders = new HolderStatements(sql);
		this.select = sql.apply("SELECT owner, token, expires_at - {now}, wanted_until - {now},"
				+ " waiting_until - {now} FROM {table} WHERE name = ?");
		this.selectForUpdate = this.select + dialect.briefly() + " FOR UPDATE";
		this.selectUnlocked = this.selectForUpdate + SKIP_LOCKED;
		this.selectNext = sql.apply("SELECT name, CASE WHEN owner IS NOT NULL AND expires_at > {now} THEN 1 ELSE 0 END"
				+ " FROM {table} WHERE name > ? ORDER BY name LIMIT " + MOST_AT_ONCE);
		this.selectHolder = sql
			.apply("SELECT host, process, thread, acquired_at FROM {table} WHERE name = ? AND owner = ?");
		this.share = sql.apply("UPDATE {table} SET owner = '" + SHARED
				+ "', state = 'SHARED', expires_at = {now} + ?, token = ? WHERE name = ?");
		this.free = sql
			.apply("UPDATE {table} SET owner = NULL, state = 'FREE', expires_at = 0, token = ? WHERE name = ?");
		String insert = "INSERT INTO {table} (name, token, acquired_at, expires_at, state) VALUES ";
		this.insertFree = sql.apply(insert + "(?, 0, 0, 0, " + state("FREE") + ")");
		this.insertForTransactions = sql.apply(insert + "(?, {now}, {now}, {now}, " + state("TX") + ")");
		this.touch = sql.apply("UPDATE {table} SET token = {now}, expires_at = {now} WHERE name = ?");
		this.delete = sql.apply("DELETE FROM {table} WHERE name = ?");
		String idle = sql.apply("expires_at < {now} - ? AND token < {now} - ?{briefly}");
		this.selectIdle = sql.apply("SELECT name FROM {table} WHERE ") + idle + " LIMIT " + MOST_AT_ONCE;
		this.deleteIdle = this.delete + " AND " + idle;
	}

	/** Return the state of a new row, which waits briefly for another one of its name. */
	static String state(String state) {
		return "CASE WHEN 1 = 1{briefly} THEN '" + state + "' END";
	}

	DatabaseDialect dialect() {
		return this.dialect;
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
