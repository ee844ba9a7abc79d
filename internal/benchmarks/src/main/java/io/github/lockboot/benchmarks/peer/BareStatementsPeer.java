package io.github.lockboot.benchmarks.peer;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The floor: one statement that acquires a row if its lease is over, and one that
 * releases the row if its owner is unchanged, prepared on one connection. In PostgreSQL
 * the second statement does not wait for the disk, as in the release of this library.
 * There is no renewal, no token and no waiting. For one thread.
 */
final class BareStatementsPeer implements Peer {

	private static final long LEASE_MICROS = 30_000_000;

	private final Connection connection;

	private final PreparedStatement insert;

	private final PreparedStatement acquire;

	private final PreparedStatement release;

	private final String owner = UUID.randomUUID().toString();

	BareStatementsPeer(String url) {
		boolean postgresql = url.startsWith("jdbc:postgresql:");
		String now = postgresql ? "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)"
				: "TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6))";
		try {
			this.connection = DriverManager.getConnection(url);
			this.insert = this.connection
				.prepareStatement("INSERT INTO bare_lock (owner, name, expires_at) VALUES (?, ?, " + now + " + "
						+ LEASE_MICROS + ")");
			this.acquire = this.connection.prepareStatement("UPDATE bare_lock SET owner = ?, expires_at = " + now
					+ " + " + LEASE_MICROS + " WHERE name = ? AND expires_at <= " + now);
			this.release = this.connection
				.prepareStatement("UPDATE bare_lock SET owner = NULL, expires_at = 0 WHERE name = ? AND owner = ?"
						+ (postgresql ? " AND set_config('synchronous_commit', 'off', true) = 'off'" : ""));
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public Runnable acquire(String lock) {
		if (!update(this.acquire, this.owner, lock)) {
			update(this.insert, this.owner, lock);
		}
		return () -> update(this.release, lock, this.owner);
	}

	private boolean update(PreparedStatement statement, String first, String second) {
		try {
			statement.setString(1, first);
			statement.setString(2, second);
			return statement.executeUpdate() == 1;
		}
		catch (SQLException ex) {
			throw new IllegalStateException("The lock is held, and the floor can't wait", ex);
		}
	}

	@Override
	public void close() {
		try {
			this.connection.close();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
