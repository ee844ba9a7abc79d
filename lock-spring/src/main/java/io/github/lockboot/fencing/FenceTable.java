package io.github.lockboot.fencing;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Function;
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
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.datasource.init.ScriptUtils;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.lockboot.StaleTokenException;

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

	/** For holders that do not exclude each other. */
	private final JdbcFencingGuard patient;

	private final TransactionTemplate newTransaction;

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
		this.patient = new JdbcFencingGuard(dataSource, NAME);
		this.newTransaction = TransactionManagers.requiringNew(dataSource);
	}

	/**
	 * Find the table in a database, or create it.
	 * @param over opens the connection
	 * @param creates whether to create it if it does not exist
	 * @return {@code null} if it does not exist
	 * @throws DataAccessException if that is not known, or the table can't be used
	 */
	static @Nullable FenceTable find(DataSource dataSource, DataSource over, Predicate<DataSource> creates) {
		return (isIn(over) || (creates.test(dataSource) && create(dataSource))) ? new FenceTable(dataSource) : null;
	}

	private static boolean isIn(DataSource dataSource) {
		try (Connection connection = dataSource.getConnection(); Statement statement = connection.createStatement()) {
			if (isKnownToBeMissing(connection)) {
				return false;
			}
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

	/**
	 * A question without a failure, which a driver would log, and that ends no
	 * transaction.
	 */
	private static boolean isKnownToBeMissing(Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		if (!KNOWN.contains(database.getDatabaseProductName())) {
			return false;
		}
		String name = database.storesUpperCaseIdentifiers() ? NAME.toUpperCase(Locale.ROOT) : NAME;
		try (ResultSet tables = database.getTables(connection.getCatalog(), null, name, null)) {
			return !tables.next();
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
	 * @param shared whether others with the same token may enter, or are waited for
	 * without a limit
	 * @param announced whether the token was announced
	 */
	void admit(FencedTransaction transaction, String lock, String key, long token, boolean shared, boolean announced) {
		JdbcFencingGuard waiting = shared ? this.patient : this.guard;
		long startNanos = System.nanoTime();
		for (;;) {
			try {
				requireSettled(transaction, lock, key, token, waiting.enter(key, token, shared && announced));
				return;
			}
			catch (DataAccessException ex) {
				boolean more = shared || System.nanoTime() - startNanos < LONGEST_WAIT.toNanos();
				if (!more || !isRowLocked(ex) || !this.guard.survivesTimeouts()) {
					throw failure(lock, ex);
				}
			}
		}
	}

	/** Return whether only a statement failed, because a database waits for less time. */
	private static boolean isRowLocked(DataAccessException failure) {
		return failure.getRootCause() instanceof SQLException cause && SqlStates.isRowLocked(cause);
	}

	/**
	 * Check as the last statement of a transaction that it kept others out all the time.
	 * @param held whether the lock is still held: otherwise nothing depends on a row that
	 * the transaction has unlocked after the release, by a rollback to a savepoint, as
	 * long as no later holder was admitted
	 */
	void verify(FencedTransaction transaction, String key, FencedTransaction.Admitted row, boolean held) {
		if (row.early() && this.guard.keepsRowsUntilCommit()) {
			return;
		}
		String lock = row.lock();
		try {
			long[] tokens = this.guard.verify(key);
			if (!held && tokens[0] < row.token()) {
				this.guard.admit(key, row.token());
				tokens = this.guard.verify(key);
			}
			if (tokens[0] > row.token()) {
				throw new StaleTokenException(key, row.token(), tokens[0]);
			}
			if (tokens[0] != row.token()) {
				throw lost(lock);
			}
			requireSettled(transaction, lock, key, row.token(), tokens[1]);
		}
		catch (StaleTokenException ex) {
			throw held ? ex : lost(lock);
		}
		catch (DataAccessException ex) {
			throw failure(lock, ex);
		}
	}

	/**
	 * Let others wait for the present transaction, which is inside the one of a keeper.
	 */
	void join(String lock, String key, long token) {
		try {
			if (!this.guard.join(key, token)) {
				throw lost(lock);
			}
		}
		catch (DataAccessException ex) {
			throw failure(lock, ex);
		}
	}

	/** Return the failure of a transaction whose row was unlocked before its end. */
	static CannotAcquireLockException lost(String lock) {
		return new CannotAcquireLockException("A transaction under lock '" + lock + "' no longer keeps later holders"
				+ " out: a statement failed, the database ended the transaction, or it was rolled back to a savepoint"
				+ " from before the lock was acquired. Repeat the transaction");
	}

	/**
	 * An inner transaction of another holder has committed, or may still do so, although
	 * the transaction around it has ended without a commit.
	 */
	private void requireSettled(FencedTransaction transaction, String lock, String key, long token, long trace) {
		if (trace > token) {
			throw new StaleTokenException(key, token, trace);
		}
		if (trace != JdbcFencingGuard.NONE && trace != token) {
			transaction.settles(lock, key, token);
			throw new CannotAcquireLockException("The transaction of an earlier holder of lock '" + lock
					+ "' ended without a commit, unlike one inside it: repeat this one");
		}
	}

	/** Return whether holders that share a lock lock the row together. */
	boolean sharesRows() {
		return this.guard.sharesRows();
	}

	/**
	 * Remove the trace of inner transactions as part of the one around them, which stores
	 * the same token in the row of the lock, and return whether that is done.
	 */
	boolean removeTrace(String key, long token, boolean early) {
		return ((early && this.guard.keepsRowsUntilCommit()) || this.guard.verify(key)[0] == token)
				&& this.guard.removeTrace(key);
	}

	/** Return whether a suspended transaction keeps later holders out until it ends. */
	boolean isKeptBy(FencedTransaction transaction, String key) {
		ConnectionHolder holder = transaction.holder();
		JdbcFencingGuard.Row row = (holder != null)
				? this.guard.keep(holder.getConnection(), key, transaction.token(key)) : JdbcFencingGuard.Row.LOST;
		if (row != JdbcFencingGuard.Row.KEPT) {
			transaction.lost(key, row == JdbcFencingGuard.Row.KEPT_AGAIN);
		}
		return row != JdbcFencingGuard.Row.LOST;
	}

	/**
	 * Announce an inner transaction before it begins.
	 * @param keeper returns the transaction that keeps later holders out of the database
	 * of a connection
	 * @return that transaction, {@code null} if there is none
	 */
	@Nullable FencedTransaction trace(String lock, String key, DataSource over,
			Function<Connection, @Nullable FencedTransaction> keeper) {
		return inNewTransaction(lock, over, (announcing, connection) -> {
			FencedTransaction found = keeper.apply(connection);
			if (found != null) {
				found.settles(lock, key, found.token(key));
				requireSettled(found, lock, key, found.token(key), announcing.trace(key, found.token(key)));
			}
			return found;
		});
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
		try {
			inNewTransaction(lock, over, (announcing, connection) -> {
				if (needed.test(connection)) {
					announcing.announce(key, token);
					this.announced.put(key, token);
				}
				return null;
			});
		}
		catch (DataAccessException ex) {
			if (!(ex.getRootCause() instanceof SQLException cause && SqlStates.isReadOnly(cause))) {
				throw ex;
			}
			if (this.warned.compareAndSet(false, true)) {
				logger.warn("Read-only transactions under lock '" + lock + "' are not fenced, because their database"
						+ " accepts no changes: they may read what an earlier holder is about to change. Further locks"
						+ " are not logged");
			}
		}
	}

	private <T extends @Nullable Object> T inNewTransaction(String lock, DataSource over,
			BiFunction<JdbcFencingGuard, Connection, T> statements) {
		boolean own = over == this.dataSource;
		JdbcFencingGuard announcing = own ? this.guard : new JdbcFencingGuard(over, NAME, LONGEST_WAIT);
		TransactionTemplate transaction = own ? this.newTransaction : TransactionManagers.requiringNew(over);
		for (int tries = 1;; tries++) {
			try {
				return transaction
					.execute((status) -> statements.apply(announcing, DataSourceUtils.getConnection(over)));
			}
			catch (DataAccessException ex) {
				if (!isConflict(ex) || tries == MOST_TRIES) {
					throw failure(lock, ex);
				}
			}
		}
	}

	/** A transaction that has read before may not change what others have changed. */
	private static boolean isConflict(DataAccessException failure) {
		return failure.getRootCause() instanceof SQLException cause && SqlStates.isConflict(cause);
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
