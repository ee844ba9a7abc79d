package io.github.lockboot.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.TransactionTimedOutException;

import io.github.lockboot.Internal;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.engine.LockTemplate;
import io.github.lockboot.fencing.CommitFencing;

/**
 * Locks in a table of a relational database: PostgreSQL, MySQL, MariaDB or H2. The
 * template keeps three connections of its own open, and never takes part in a transaction
 * of its callers. Thread-safe; one instance serves an application.
 *
 * @since 1.0.0
 */
public class JdbcLockTemplate extends LockTemplate implements CommitFencing {

	private final DataSource dataSource;

	private final JdbcLockStore store;

	private final JdbcLockSettings settings;

	private volatile @Nullable CallersTransactions callersTransactions;

	/**
	 * Connect to the database and check the tables.
	 * @param dataSource opens connections. The data source must not be the pool of the
	 * application, because callers that have emptied the pool would stop the renewal of
	 * leases
	 * @param settings how the database is used
	 * @param listeners notified of the events of locks, in this order
	 * @throws LockUnavailableException if the database cannot be reached, is not
	 * supported, is read-only, or has no valid tables
	 */
	public JdbcLockTemplate(DataSource dataSource, JdbcLockSettings settings, List<LockListener> listeners) {
		super((clock) -> new JdbcLockStore(dataSource, clock, settings, new LockTableCheck(dataSource, settings).run()),
				settings.lockDefaults(), listeners);
		this.dataSource = dataSource;
		this.store = (JdbcLockStore) store();
		this.settings = settings;
	}

	/**
	 * Return whether {@link #fence} checks the transactions of a connection.
	 */
	@Internal
	@Override
	public boolean mayFence(Connection transaction) {
		return callersTransactions().mayWrite(transaction);
	}

	/**
	 * Check in a transaction before its commit that the current thread still owns all its
	 * locks, and keep others from acquiring these locks until the transaction has ended.
	 * This method does nothing in a transaction on another database.
	 * @param transaction the holder of the connection and of the timeout of the
	 * transaction
	 * @throws LockLostException if a lock is lost
	 * @throws TransactionTimedOutException if the time of the transaction is over
	 */
	@Internal
	public void fence(ConnectionHolder transaction) {
		if (mayFence(transaction.getConnection())) {
			CallersTransactions transactions = callersTransactions();
			ensureOwned((attempt, token) -> transactions.owns(transaction, attempt, token));
		}
	}

	/**
	 * Check that the user of a connection has the rights for {@link #fence}, if the
	 * connection is one to the database of the locks.
	 * @throws LockUnavailableException if a right is missing
	 * @throws SQLException if the rights cannot be checked
	 */
	@Internal
	public void checkRights(Connection connection) throws SQLException {
		CallersTransactions transactions = callersTransactions();
		if (transactions.mayWrite(connection)) {
			transactions.checkRights(connection);
		}
	}

	/** Return how long callers wait by default. */
	@Internal
	public Duration waitTime() {
		return this.settings.lockDefaults().waitTime();
	}

	/**
	 * Return the statements of transactions on the table.
	 * @throws DataAccessException if the database cannot be reached
	 */
	@Internal
	public CallersTransactions callersTransactions() {
		CallersTransactions known = this.callersTransactions;
		if (known == null) {
			try (Connection connection = this.dataSource.getConnection()) {
				known = CallersTransactions.of(connection, this.settings, this.store);
				this.callersTransactions = known;
			}
			catch (SQLException ex) {
				throw CallersTransactions.translated("look for the table of the locks", ex);
			}
		}
		return known;
	}

	@Override
	protected JdbcLockTemplate anotherInstance() {
		return new JdbcLockTemplate(this.dataSource, this.settings, List.of());
	}

}
