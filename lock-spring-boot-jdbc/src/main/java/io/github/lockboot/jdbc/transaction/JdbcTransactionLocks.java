package io.github.lockboot.jdbc.transaction;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.Assert;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.concurrent.Backoff;
import io.github.lockboot.jdbc.CallersTransactions;
import io.github.lockboot.jdbc.JdbcLockTemplate;
import io.github.lockboot.transaction.TransactionLocks;

/**
 * {@link TransactionLocks} in the table of a {@link JdbcLockTemplate}, for Spring's JDBC
 * and JPA transactions on the database of the template. Waiting transactions repeatedly
 * check whether the row of the lock is unlocked. Thread-safe.
 *
 * @since 1.0.0
 */
public final class JdbcTransactionLocks implements TransactionLocks {

	private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final JdbcLockTemplate template;

	/**
	 * Create the locks.
	 * @param template the template that provides the table and the default of the wait
	 * time
	 */
	public JdbcTransactionLocks(JdbcLockTemplate template) {
		this.template = template;
	}

	@Override
	public void acquire(LockRequest request) {
		LockRequest supported = LockRequest.allOf(request.names())
			.group(request.group())
			.waitTime(request.waitTime())
			.reason(request.reason());
		Assert.isTrue(request.equals(supported), () -> "A transaction can't hold lock '" + request.name()
				+ "' as requested: such a lock has no lease and one holder. Set only a name and a wait time");
		Duration waitTime = (request.waitTime() != null) ? request.waitTime() : this.template.waitTime();
		CallersTransactions transactions = this.template.callersTransactions();
		ConnectionHolder holder = transaction(transactions, request.name());
		Assert.state(!NestedTransactions.isNested(holder),
				() -> "Lock '" + request.name()
						+ "' can't be acquired in a nested transaction: the lock would end with a rollback to the"
						+ " savepoint, while the outer transaction continues. Acquire the lock before the nested"
						+ " transaction begins, or use REQUIRED or REQUIRES_NEW instead of NESTED");
		holder.requested();
		try {
			long startNanos = System.nanoTime();
			for (String name : request.names()) {
				transactions.prepare(holder, name);
				acquire(transactions, holder, name, startNanos, waitTime);
			}
		}
		finally {
			holder.released();
		}
	}

	private static void acquire(CallersTransactions transactions, ConnectionHolder transaction, String name,
			long startNanos, Duration waitTime) {
		for (int pauses = 0; !transactions.tryLock(transaction, name); pauses++) {
			Duration waited = Duration.ofNanos(System.nanoTime() - startNanos);
			if (waited.compareTo(waitTime) >= 0) {
				throw new LockNotAcquiredException(name, waited, null);
			}
			Duration pause = Duration
				.ofNanos(Backoff.pauseNanos(pauses, LONGEST_PAUSE_NANOS, ThreadLocalRandom.current()));
			Duration left = waitTime.minus(waited);
			LockSupport.parkNanos(((pause.compareTo(left) < 0) ? pause : left).toNanos());
			if (Thread.currentThread().isInterrupted()) {
				throw new LockInterruptedException(name);
			}
		}
	}

	/** Return the connection of the current transaction on the database of the locks. */
	private static ConnectionHolder transaction(CallersTransactions transactions, String lock) {
		List<ConnectionHolder> found = TransactionSynchronizationManager.getResourceMap()
			.values()
			.stream()
			.filter(ConnectionHolder.class::isInstance)
			.map(ConnectionHolder.class::cast)
			.filter((holder) -> isTransactional(holder, lock) && transactions.mayWrite(holder.getConnection()))
			.distinct()
			.toList();
		Assert.state(!found.isEmpty(),
				() -> "Lock '" + lock + "' is held by a transaction, and the current thread has no transaction"
						+ " that writes to the database of the locks: annotate the method or its caller with"
						+ " @Transactional, or use a TransactionTemplate");
		Assert.state(found.size() == 1,
				() -> "Lock '" + lock + "' is held by a transaction, and the current thread has " + found.size()
						+ " transactions on the database of the locks, from several data sources with the same"
						+ " URL: acquire the lock where there is only one");
		return found.get(0);
	}

	/**
	 * Return whether a connection has a transaction. A connection may be bound to a
	 * thread without a transaction.
	 */
	private static boolean isTransactional(ConnectionHolder holder, String lock) {
		try {
			return TransactionSynchronizationManager.isActualTransactionActive()
					&& !TransactionSynchronizationManager.isCurrentTransactionReadOnly()
					&& holder.getConnectionHandle() != null && !holder.getConnection().getAutoCommit();
		}
		catch (SQLException ex) {
			throw new LockUnavailableException(lock,
					"Lock '" + lock + "' could not be acquired by a transaction: the connection failed", ex);
		}
	}

}
