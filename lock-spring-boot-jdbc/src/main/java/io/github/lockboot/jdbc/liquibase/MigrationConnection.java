package io.github.lockboot.jdbc.liquibase;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.DatabaseException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockState;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * The connection of a migration, with the lock of the migration. A transaction commits
 * only if Liquibase's row is still locked by this connection, and keeps others from
 * locking the row until the commit is over. If the lease is lost, the connection is
 * closed, which stops the migration. Used by one thread.
 *
 * @since 1.0.0
 */
@Internal
public final class MigrationConnection extends JdbcConnection {

	private static final Log logger = LogFactory.getLog(MigrationConnection.class);

	/** How the text of a holder with a lease begins. No host has a blank in its name. */
	private static final String LEASE = "lock-spring-boot lease ";

	private static final int LONGEST_HOLDER = 255;

	private final Function<String, JdbcLockTemplate> templates;

	private @Nullable JdbcLockTemplate locks;

	private @Nullable Hold hold;

	/**
	 * Create a connection.
	 * @param templates creates locks in a table of that name, which belong to this
	 * connection
	 */
	public MigrationConnection(Connection connection, Function<String, JdbcLockTemplate> templates) {
		super(connection);
		this.templates = templates;
	}

	/** Return the leases, in a table that is created if it is missing. */
	JdbcLockTemplate locks(String table) {
		JdbcLockTemplate locks = this.locks;
		if (locks == null) {
			locks = this.templates.apply(table);
			this.locks = locks;
		}
		return locks;
	}

	boolean isLocked() {
		return this.hold != null;
	}

	/**
	 * Return whether no transaction of others has locked Liquibase's row, such as that of
	 * a frozen holder. If so, this transaction locks the row.
	 */
	boolean isUnlocked(String table) throws DatabaseException {
		return finds("SELECT ID FROM " + table + " WHERE ID = 1 FOR UPDATE SKIP LOCKED");
	}

	/**
	 * Lock Liquibase's row under a lease. The row is taken over from a holder with an
	 * earlier lease, which has ended, but neither from a holder without a lease nor, if
	 * this lease was lost meanwhile, from its next holder.
	 */
	boolean lock(String table, LockHandle lease) throws DatabaseException {
		Hold next = new Hold(table, holder(lease), lease);
		boolean locked = update(
				"UPDATE " + table + " SET LOCKED = TRUE, LOCKGRANTED = CURRENT_TIMESTAMP, LOCKEDBY = ? WHERE ID = 1 AND"
						+ " (LOCKED = FALSE OR (LOCKEDBY LIKE '" + LEASE + "%' AND LOCKEDBY < ?))",
				next.holder(), next.holder());
		super.commit();
		if (locked) {
			this.hold = next;
			lease.onLost(() -> stop(lease.loss()));
		}
		return locked;
	}

	/** Return a text that is greater than that of all earlier holders. */
	private String holder(LockHandle lease) {
		String text = LEASE + String.format(Locale.ROOT, "%019d ", lease.fencingToken())
				+ Objects.requireNonNull(this.locks)
					.inspect(lease.name())
					.heldBy()
					.stream()
					.map(LockState.Holder::toString)
					.collect(Collectors.joining(" "));
		// the encoding of the table may lack other characters
		return text.substring(0, Math.min(text.length(), LONGEST_HOLDER)).replaceAll("[^ -~]", "?");
	}

	/** Unlock what this connection has locked, and release the lease. */
	void unlock() throws DatabaseException {
		Hold last = this.hold;
		this.hold = null;
		if (last != null) {
			try {
				update("UPDATE " + last.table() + " SET LOCKED = FALSE, LOCKGRANTED = NULL, LOCKEDBY = NULL"
						+ " WHERE ID = 1 AND LOCKEDBY = ?", last.holder());
				super.commit();
			}
			finally {
				last.lease().close();
			}
		}
	}

	/**
	 * Commit the transaction.
	 * @throws DatabaseException if the lock is lost; the transaction is then rolled back
	 */
	@Override
	public void commit() throws DatabaseException {
		Hold present = this.hold;
		if (present != null && !owns(present)) {
			rollback();
			throw new DatabaseException("The migration has lost its lock: " + present.table()
					+ " was unlocked or locked by another since. The transaction was rolled back");
		}
		super.commit();
	}

	private boolean owns(Hold present) throws DatabaseException {
		return finds(
				"SELECT ID FROM " + present.table() + " WHERE ID = 1 AND LOCKED = TRUE AND LOCKEDBY = ? FOR UPDATE",
				present.holder());
	}

	private boolean finds(String sql, String... parameters) throws DatabaseException {
		try (PreparedStatement query = prepareStatement(sql)) {
			bind(query, parameters);
			return query.executeQuery().next();
		}
		catch (SQLException ex) {
			throw new DatabaseException(ex);
		}
	}

	private boolean update(String sql, String... parameters) throws DatabaseException {
		try (PreparedStatement update = prepareStatement(sql)) {
			bind(update, parameters);
			return update.executeUpdate() == 1;
		}
		catch (SQLException ex) {
			throw new DatabaseException(ex);
		}
	}

	private static void bind(PreparedStatement statement, String... parameters) throws SQLException {
		for (int i = 0; i < parameters.length; i++) {
			statement.setString(i + 1, parameters[i]);
		}
	}

	/** Close the connection below, which ends the statement that uses it. */
	private void stop(@Nullable LockLostException loss) {
		logger.error("A migration has lost its lock and is stopped: its connection is closed", loss);
		try {
			getUnderlyingConnection().abort(Runnable::run);
		}
		catch (SQLException | RuntimeException ex) {
			logger.warn("The connection of a migration that has lost its lock could not be closed", ex);
		}
	}

	@Override
	public void close() throws DatabaseException {
		JdbcLockTemplate open = this.locks;
		this.locks = null;
		try {
			unlock();
		}
		finally {
			if (open != null) {
				open.close();
			}
			super.close();
		}
	}

	/** What this connection has locked. */
	private record Hold(String table, String holder, LockHandle lease) {

	}

}
