package io.github.lockboot.transaction;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;

/**
 * Locks that a transaction holds until it is committed or rolled back. Such a lock is a
 * row lock in the database of the transaction: it has no lease, needs no renewal and
 * cannot be lost unless the transaction is lost. The lock is not released before the end
 * of the transaction, and acquiring it again in the same transaction has no effect.
 * <p>
 * These locks and those of {@link LockOperations} never exclude each other, whatever
 * their names. Implementations are thread-safe.
 *
 * @since 1.0.0
 */
public interface TransactionLocks {

	/**
	 * Acquire a lock, or several locks in an order that all callers use, for the
	 * transaction of the current thread. If the lock stays busy, the transaction can
	 * continue without it.
	 * @param request which lock to acquire, and how long to wait for it; apart from
	 * these, only the group may be set
	 * @throws LockNotAcquiredException if a lock stayed busy for the wait time. The locks
	 * of the request that were acquired before stay held
	 * @throws LockInterruptedException if the thread is interrupted
	 * @throws LockUnavailableException if the database fails
	 * @throws IllegalStateException if the thread has no transaction on the database of
	 * the locks, or two transactions, or a transaction that is read-only, is nested in
	 * another one by a savepoint, or would read data from before the lock was acquired
	 * @throws org.springframework.transaction.TransactionTimedOutException if the time of
	 * the transaction is over
	 * @throws IllegalArgumentException if the request sets something else
	 */
	void acquire(LockRequest request);

	/**
	 * Acquire a lock for the transaction of the current thread, with the configured wait
	 * time.
	 * @param name name of the lock
	 * @see #acquire(LockRequest)
	 */
	default void acquire(String name) {
		acquire(LockRequest.of(name));
	}

	/**
	 * Acquire a lock for the transaction of the current thread, if the lock is available
	 * within the wait time.
	 * @param request which lock to acquire, and how long to wait for it
	 * @return whether the lock was acquired
	 * @see #acquire(LockRequest)
	 */
	default boolean tryAcquire(LockRequest request) {
		try {
			acquire(request);
			return true;
		}
		catch (LockNotAcquiredException ex) {
			return false;
		}
	}

}
