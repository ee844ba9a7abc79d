package io.github.lockboot.jdbc.liquibase;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import liquibase.database.Database;
import liquibase.database.ObjectQuotingStrategy;
import liquibase.database.core.MySQLDatabase;
import liquibase.exception.LiquibaseException;
import liquibase.exception.LockException;
import liquibase.lockservice.DatabaseChangeLogLock;
import liquibase.lockservice.StandardLockService;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.jdbc.JdbcLockTemplate;

/**
 * Liquibase's lock with a lease. An instance first acquires the lease, in a table beside
 * Liquibase's table of the lock, and then locks Liquibase's row, so that instances with
 * {@link StandardLockService} wait. A row that an earlier holder of the lease has left
 * locked is taken over; a row that another program has locked is waited for.
 * <p>
 * Liquibase creates this service without arguments, and more than one for a connection.
 * Therefore, all state belongs to the {@link MigrationConnection}. On other connections
 * Liquibase does not use this service.
 *
 * @since 1.0.0
 */
@Internal
public final class LeasedLockService extends StandardLockService {

	private static final Log logger = LogFactory.getLog(LeasedLockService.class);

	/** The only lock in the table of leases, whatever the settings of an instance are. */
	private static final String LEASE = "migration";

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/** Before Liquibase's own services, except the one for no database. */
	private static final int PRIORITY = 1000;

	@Override
	public int getPriority() {
		return PRIORITY;
	}

	@Override
	public boolean supports(Database database) {
		return database.getConnection() instanceof MigrationConnection;
	}

	@Override
	public boolean hasChangeLogLock() {
		return connection().isLocked();
	}

	@Override
	public boolean acquireLock() throws LockException {
		return acquire(Duration.ZERO) == null;
	}

	/** Wait with Liquibase's own settings, and log who has the lock. */
	@Override
	public void waitForLock() throws LockException {
		long startNanos = System.nanoTime();
		long limitNanos = TimeUnit.MINUTES.toNanos(getChangeLogLockWaitTime());
		long mostSeconds = 1;
		String busy;
		do {
			long leftNanos = Math.max(0, limitNanos - (System.nanoTime() - startNanos));
			busy = acquire(Duration.ofNanos(Math.min(leftNanos, TimeUnit.SECONDS.toNanos(mostSeconds))));
			if (busy == null) {
				return;
			}
			logger.info("Liquibase waits: " + busy);
			mostSeconds = Math.max(1, getChangeLogLockRecheckTime());
		}
		while (System.nanoTime() - startNanos < limitNanos);
		throw new LockException("Liquibase did not get its lock in time: " + busy);
	}

	/**
	 * Acquire the lease and lock the row, and return {@code null}, or return who has
	 * them.
	 */
	private @Nullable String acquire(Duration wait) throws LockException {
		MigrationConnection connection = connection();
		if (connection.isLocked()) {
			return null;
		}
		String table = table();
		JdbcLockTemplate locks = connection.locks(leases());
		LockHandle lease;
		try {
			lease = locks.acquire(LockRequest.of(LEASE).waitTime(wait));
		}
		catch (LockNotAcquiredException ex) {
			return ex.getMessage();
		}
		String busy = "";
		try {
			busy = lockRow(connection, table, lease, wait);
			return busy;
		}
		catch (LiquibaseException ex) {
			throw new LockException(ex);
		}
		finally {
			if (busy != null) {
				lease.close();
			}
		}
	}

	private @Nullable String lockRow(MigrationConnection connection, String table, LockHandle lease, Duration wait)
			throws LiquibaseException {
		long startNanos = System.nanoTime();
		this.database.rollback();
		init();
		while (true) {
			DatabaseChangeLogLock[] before = listLocks();
			this.database.rollback(); // the update must see what others commit
			boolean unlocked = connection.isUnlocked(table);
			if (unlocked && connection.lock(table, lease)) {
				reset(); // what was read before may have changed
				this.database.setCanCacheLiquibaseTableInfo(true);
				if (before.length > 0) {
					logger.warn("The lock of a migration was taken over from '" + before[0].getLockedBy()
							+ "', whose lease has ended. If that process is frozen, this migration waits for its"
							+ " transaction until the database ends it");
				}
				return null;
			}
			if (System.nanoTime() - startNanos >= wait.toNanos()) {
				return busy(table, unlocked, before);
			}
			this.database.rollback();
			pause();
		}
	}

	private static String busy(String table, boolean unlocked, DatabaseChangeLogLock[] locks) {
		String holder = (locks.length > 0) ? "'" + locks[0].getLockedBy() + "'" : "another instance";
		if (!unlocked) {
			return "a transaction has locked the row of " + table + ". If " + holder
					+ " is frozen, end it, or its session in the database";
		}
		return (locks.length == 0) ? table + " was locked at this moment"
				: table + " is locked by " + holder + " since " + locks[0].getLockGranted()
						+ ", which has no lease: an instance without lock.jdbc.liquibase=true, or another program. If"
						+ " you know that it has ended, release its lock by 'liquibase release-locks' or UPDATE "
						+ table + " SET LOCKED = FALSE, LOCKEDBY = NULL";
	}

	private static void pause() throws LockException {
		LockSupport.parkNanos(PAUSE_NANOS);
		if (Thread.currentThread().isInterrupted()) {
			throw new LockException("The thread was interrupted while it waited for the lock of a migration");
		}
	}

	/** Release what this connection holds: Liquibase also calls this method twice. */
	@Override
	public void releaseLock() throws LockException {
		try {
			this.database.rollback();
			connection().unlock();
		}
		catch (LiquibaseException ex) {
			throw new LockException(ex);
		}
		finally {
			this.database.setCanCacheLiquibaseTableInfo(false);
		}
	}

	/** Unlock the row whoever has locked it, for Liquibase's command. */
	@Override
	public void forceReleaseLock() throws LockException {
		try {
			init();
		}
		catch (LiquibaseException ex) {
			throw new LockException(ex);
		}
		super.releaseLock();
	}

	private MigrationConnection connection() {
		return (MigrationConnection) this.database.getConnection();
	}

	/** Return the name of Liquibase's table, in quotes if it needs them. */
	private String table() {
		ObjectQuotingStrategy quoting = this.database.getObjectQuotingStrategy();
		this.database.setObjectQuotingStrategy(ObjectQuotingStrategy.LEGACY);
		try {
			return this.database.escapeTableName(this.database.getLiquibaseCatalogName(),
					this.database.getLiquibaseSchemaName(), this.database.getDatabaseChangeLogLockTableName());
		}
		finally {
			this.database.setObjectQuotingStrategy(quoting);
		}
	}

	/**
	 * Return the name of the table of leases. It is beside Liquibase's table, so that all
	 * who lock that row have the same leases, whatever their settings are.
	 */
	private String leases() {
		String schema = (this.database instanceof MySQLDatabase) ? this.database.getLiquibaseCatalogName()
				: this.database.getLiquibaseSchemaName();
		String name = this.database.getDatabaseChangeLogLockTableName() + "_lease";
		return (schema != null) ? schema + "." + name : name;
	}

}
