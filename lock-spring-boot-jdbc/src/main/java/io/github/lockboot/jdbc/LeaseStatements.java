package io.github.lockboot.jdbc;

import java.util.function.UnaryOperator;

/**
 * The statements that change the lease of a lock that one attempt owns, and those for its
 * waiters.
 */
final class LeaseStatements {

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

	/**
	 * Parameters: used token, used token, name, owner. For a lock for which nobody waits.
	 */
	final String release;

	/** The same for a lock for which somebody waits. */
	final String releaseAwaited;

	/** Parameters: lease, used token, used token, name, owner. */
	final String releaseLater;

	/** Parameters: microseconds, name. */
	final String want;

	/** Parameters: microseconds, name, microseconds that are left at least. */
	final String await;

	/** Parameters: channel, payload, name. */
	final String notifyWaiters;

	private final String lockOwned;

	private final String renew;

	LeaseStatements(DatabaseDialect dialect, UnaryOperator<String> sql) {
		String owned = " WHERE name = ? AND owner = ? AND expires_at > {now}{briefly}";
		String used = "token = CASE WHEN ? > 0 THEN ? ELSE token END";
		// acquired_at comes first: in MySQL what follows an assignment reads the new
		// value
		this.acquire = dialect.returningToken(sql.apply("UPDATE {table} SET acquired_at = GREATEST(token, {now}), "
				+ "token = " + dialect.remembered("GREATEST(token, {now} - 1, ?) + 1 + ?") + ", expires_at = {now} + ?,"
				+ " owner = ?, wanted_until = 0, " + (dialect.hasNotifications() ? "waiting_until = 0, " : "")
				+ "state = 'HELD', host = ?, process = ?, thread = ? WHERE name = ? AND expires_at <= {now}{briefly}"));
		this.acquireAgain = dialect.returningToken(sql
			.apply("UPDATE {table} SET token = " + dialect.remembered("GREATEST(token - ? - 1, {now} - 1, ?) + 1 + ?")
					+ ", expires_at = GREATEST(expires_at, {now} + ?)" + owned));
		this.insert = dialect.returningToken(sql.apply("INSERT INTO {table} (name, owner, token, acquired_at,"
				+ " expires_at, state, host, process, thread) VALUES (?, ?, "
				+ dialect.remembered("GREATEST({now} - 1, ?) + 1 + ?") + ", {now}, {now} + ?, "
				+ LockTable.state("HELD") + ", ?, ?, ?)"));
		this.releaseAwaited = sql.apply("UPDATE {table} SET expires_at = 0, owner = NULL, state = 'FREE', " + used
				+ owned + dialect.withoutFlush());
		this.release = this.releaseAwaited + sql.apply(" AND waiting_until <= {now}");
		this.releaseLater = sql.apply("UPDATE {table} SET expires_at = {now} + ?, " + used + owned);
		this.want = sql.apply("UPDATE {table} SET wanted_until = {now} + ? WHERE name = ? AND owner = '"
				+ LockTable.SHARED + "'{briefly}");
		this.await = sql.apply(await(dialect));
		this.notifyWaiters = sql.apply("SELECT pg_notify(?, ?) FROM {table} WHERE name = ? AND waiting_until > {now}");
		this.lockOwned = sql.apply("SELECT owner, GREATEST(token, {now} + ?) FROM {table} WHERE expires_at > {now}");
		this.renew = sql.apply("UPDATE {table} SET expires_at = {now} + ?, token = GREATEST(token, {now} + ?)");
	}

	/**
	 * A row that a transaction has locked must not delay a waiter; MySQL can't select
	 * that.
	 */
	private static String await(DatabaseDialect dialect) {
		String unmarked = " WHERE name = ? AND expires_at > {now} AND waiting_until < {now} + ?";
		return "UPDATE {table} SET waiting_until = {now} + ?" + (dialect.hasNotifications()
				? " WHERE name = (SELECT name FROM {table}" + unmarked + " FOR UPDATE" + LockTable.SKIP_LOCKED + ")"
				: unmarked);
	}

	/**
	 * Return the statement that locks the rows of a number of leases, except locked rows,
	 * and selects their next tokens. The name of an attempt is unique, so it belongs to
	 * only one of the locks. Parameters: ahead, names, owners. Columns: owner, token.
	 */
	String lockOwned(int leases) {
		return this.lockOwned + " AND name IN " + parameters(leases) + " AND owner IN " + parameters(leases)
				+ " FOR UPDATE" + LockTable.SKIP_LOCKED;
	}

	/**
	 * Return the statement that renews a number of leases. Parameters: lease, ahead,
	 * names.
	 */
	String renew(int leases) {
		return this.renew + " WHERE name IN " + parameters(leases);
	}

	private static String parameters(int count) {
		return "(" + "?, ".repeat(count - 1) + "?)";
	}

}
