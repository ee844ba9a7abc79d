package io.github.lockboot.jdbc;

import java.util.function.UnaryOperator;

/**
 * The statements of the table with the holders of shared locks.
 */
final class HolderStatements {

	/** Parameters: name, owner, lease. */
	final String insert;

	/**
	 * Parameters: owner, owner, owner, name. Columns: number of other holders,
	 * microseconds until the last one expires, microseconds until this holder expires or
	 * null.
	 */
	final String select;

	/** Parameter: name. Column: owner. */
	final String selectOwners;

	/** Parameter: name. */
	final String expire;

	/** Parameters: name, owner. */
	final String delete;

	/** Parameter: name. */
	final String deleteAll;

	/** Parameter: name. */
	final String deleteExpired;

	/** Parameter: age in microseconds. */
	final String deleteIdle;

	HolderStatements(UnaryOperator<String> sql) {
		this.insert = sql.apply("INSERT INTO {holders} (name, owner, expires_at) VALUES (?, ?, {now} + ?)");
		this.select = sql.apply("SELECT COUNT(CASE WHEN owner <> ? THEN 1 END),"
				+ " COALESCE(MAX(CASE WHEN owner <> ? THEN expires_at END) - {now}, 0),"
				+ " MAX(CASE WHEN owner = ? THEN expires_at END) - {now} FROM {holders} WHERE name = ?");
		this.selectOwners = sql.apply("SELECT owner FROM {holders} WHERE name = ?");
		this.expire = sql.apply("UPDATE {holders} SET expires_at = 0 WHERE name = ?");
		this.deleteAll = sql.apply("DELETE FROM {holders} WHERE name = ?");
		this.delete = this.deleteAll + " AND owner = ?";
		this.deleteExpired = this.deleteAll + sql.apply(" AND expires_at <= {now}");
		this.deleteIdle = sql.apply("DELETE FROM {holders} WHERE expires_at < {now} - ?{briefly}");
	}

}
