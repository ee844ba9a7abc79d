package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

import javax.sql.DataSource;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.InvalidDataAccessResourceUsageException;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The table of the fence in the database of a data source. Thread-safe.
 */
final class FenceTable {

	static final String NAME = "lock_fence";

	private static final Log logger = LogFactory.getLog(FenceTable.class);

	private static final String PAGE = "(https://github.com/lockboot/lock-spring-boot/blob/main/docs/fencing.md#";

	private static final String NEEDS = "The table needs the columns name and token, and the user of the transaction"
			+ " these rights: GRANT SELECT, INSERT, UPDATE ON " + NAME + " " + PAGE + "switch-it-on)";

	/** How long a transaction waits for one of an earlier holder. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	/** Whose errors tell that a table is missing. */
	private static final Set<String> KNOWN = Set.of("PostgreSQL", "MySQL", "MariaDB", "H2");

	private static final Set<String> MYSQL = Set.of("MySQL", "MariaDB");

	private static final int REMEMBERED = 1000;

	/** How often a token is announced beside others that announce the same one. */
	private static final int MOST_TRIES = 5;

	private final DataSource dataSource;

	private final JdbcFencingGuard guard;

	private final TransactionTemplate apart;

	/** Tokens of the last locks that were announced. */
	private final Map<String, Long> announced = Collections.synchronizedMap(new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
			return size() > REMEMBERED;
		}

	});

	private final AtomicBoolean warned = new AtomicBoolean();

	private FenceTable(DataSource dataSource) {
		this.dataSource = dataSource;
		this.guard = new JdbcFencingGuard(dataSource, NAME, LONGEST_WAIT);
		this.apart = TransactionManagers.requiringNew(dataSource);
	}

	/**
	 * Find the table in a database, or create it.
	 * @param creates whether to create it if it does not exist
	 * @return {@code null} if it does not exist
	 * @throws DataAccessException if that is not known, or the table can't be used
	 */
	static @Nullable FenceTable find(DataSource dataSource, Predicate<DataSource> creates) {
		return (isIn(dataSource) || (creates.test(dataSource) && create(dataSource))) ? new FenceTable(dataSource)
				: null;
	}

	private static boolean isIn(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			try {
				statement.executeQuery("SELECT token FROM " + NAME + " WHERE 1 = 0").close();
			}
			catch (SQLException ex) {
				if (isMissing(ex, connection.getMetaData().getDatabaseProductName())) {
					return false;
				}
				throw ex;
			}
			tryToWrite(statement);
			return true;
		}
		catch (SQLException ex) {
			throw (SqlStates.mistake(ex) == SqlStates.Mistake.OTHER)
					? new CannotAcquireLockException("It is unknown whether there is a table " + NAME, ex)
					: new InvalidDataAccessResourceUsageException(
							"The table " + NAME + " can't be used: " + ex.getMessage() + ". " + NEEDS, ex);
		}
	}

	private static boolean isMissing(SQLException failure, String product) {
		if (!KNOWN.contains(product)) {
			return !(failure instanceof SQLTransientException || failure instanceof SQLRecoverableException
					|| SqlStates.isConnectionLost(failure));
		}
		SqlStates.Mistake mistake = SqlStates.mistake(failure);
		if (mistake == SqlStates.Mistake.MISSING_RIGHT && MYSQL.contains(product)) {
			// these do not tell a user without the right whether there is a table
			logger.debug("Transactions under locks are not fenced, as there is no table " + NAME
					+ " that their user may read", failure);
			return true;
		}
		return mistake == SqlStates.Mistake.MISSING_TABLE;
	}

	/** A database may accept no changes at times, or this one never. */
	private static void tryToWrite(Statement statement) throws SQLException {
		try {
			statement.executeUpdate("UPDATE " + NAME + " SET token = token WHERE 1 = 0");
			statement.executeUpdate(
					"INSERT INTO " + NAME + " (name, token) SELECT name, token FROM " + NAME + " WHERE 1 = 0");
		}
		catch (SQLException ex) {
			if (!SqlStates.isReadOnly(ex)) {
				throw ex;
			}
		}
	}

	/** Create the table; another instance may do so at the same time. */
	private static boolean create(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection()) {
			String product = connection.getMetaData().getDatabaseProductName();
			String script = MYSQL.contains(product) ? "fence-mysql.sql" : "fence.sql";
			ScriptUtils.executeSqlScript(connection, new ClassPathResource(script, JdbcFencingGuard.class));
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
			return true;
		}
		catch (SQLException | ScriptException ex) {
			if (isIn(dataSource)) {
				return true;
			}
			throw new CannotAcquireLockException("The table " + NAME + " could not be created", ex);
		}
	}

	/**
	 * Admit a holder in the present transaction, and keep others out until it ends.
	 * @param shared whether others with the same token, which was announced, may enter
	 */
	void admit(String lock, String key, long token, boolean shared) {
		try {
			if (shared) {
				this.guard.share(key, token);
			}
			else {
				this.guard.admit(key, token);
			}
		}
		catch (DataAccessException ex) {
			throw failure(lock, ex);
		}
	}

	/**
	 * Store the token of a holder in a transaction that does nothing else, before one
	 * that only reads, or that shares the row with others. If it only reads, once for
	 * each holder is enough.
	 * @param over opens the connection: this data source, or one of a connection that the
	 * thread has anyway
	 * @param needed whether the token has to be stored over a connection
	 */
	void announce(String lock, String key, long token, boolean readOnly, DataSource over,
			Predicate<Connection> needed) {
		Long known = this.announced.get(key);
		if (readOnly && known != null && known == token) {
			return;
		}
		JdbcFencingGuard announcing = (over == this.dataSource) ? this.guard
				: new JdbcFencingGuard(over, NAME, LONGEST_WAIT);
		TransactionTemplate transaction = (over == this.dataSource) ? this.apart
				: TransactionManagers.requiringNew(over);
		for (int tries = 1;; tries++) {
			try {
				transaction.executeWithoutResult((status) -> {
					if (needed.test(DataSourceUtils.getConnection(over))) {
						announcing.announce(key, token);
						this.announced.put(key, token);
					}
				});
				return;
			}
			catch (DataAccessException ex) {
				if (!isConflict(ex) || tries == MOST_TRIES) {
					notAnnounced(lock, ex);
					return;
				}
			}
		}
	}

	/** A transaction that has read before may not change what others have changed. */
	private static boolean isConflict(DataAccessException failure) {
		return failure.getRootCause() instanceof SQLException cause && SqlStates.isConflict(cause);
	}

	private void notAnnounced(String lock, DataAccessException failure) {
		if (!(failure.getRootCause() instanceof SQLException cause && SqlStates.isReadOnly(cause))) {
			throw failure(lock, failure);
		}
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("Read-only transactions under lock '" + lock + "' are not fenced, because their database"
					+ " accepts no changes: they may read what an earlier holder is about to change. Further locks"
					+ " are not logged");
		}
	}

	private static DataAccessException failure(String lock, DataAccessException failure) {
		if (!(failure.getRootCause() instanceof SQLException cause) || SqlStates.isConnectionLost(cause)
				|| failure instanceof DataAccessResourceFailureException) {
			return failure;
		}
		String problem = "The fencing token of lock '" + lock + "' could not be stored in the table " + NAME;
		if (SqlStates.isConflict(cause)) {
			return new CannotAcquireLockException(problem
					+ ", because of another transaction at the same time: repeat this one. " + cause.getMessage(),
					failure);
		}
		if (failure instanceof QueryTimeoutException || failure instanceof ConcurrencyFailureException
				|| SqlStates.isRowLocked(cause)) {
			return new CannotAcquireLockException(
					problem + ". Probably a transaction of an earlier holder has not ended in time,"
							+ " because its process is suspended: let the database end such transactions " + PAGE
							+ "suspended-transactions)",
					failure);
		}
		return new InvalidDataAccessResourceUsageException(problem + ": " + cause.getMessage() + ". " + NEEDS, failure);
	}

}
