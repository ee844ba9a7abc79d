package io.github.lockboot.aop.lock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Lock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * The locks that one thread holds until a transaction is completed.
 */
final class TransactionBoundLocks implements TransactionSynchronization {

	private static final Log logger = LogFactory.getLog(TransactionBoundLocks.class);

	private final Object resource;

	private final Deque<TransactionBoundLock> locks = new ArrayDeque<>();

	/** Create an empty list that is bound to the transaction as the given resource. */
	TransactionBoundLocks(Object resource) {
		this.resource = resource;
	}

	void add(TransactionBoundLock lock) {
		lock.asLock().lock();
		this.locks.push(lock);
	}

	boolean contains(TransactionBoundLock lock) {
		return this.locks.contains(lock);
	}

	void ensureHeld() {
		this.locks.forEach((lock) -> lock.operations().ensureHeld(lock.name()));
	}

	@Override
	public void suspend() {
		TransactionSynchronizationManager.unbindResourceIfPossible(this.resource);
	}

	@Override
	public void resume() {
		TransactionSynchronizationManager.bindResource(this.resource, this);
	}

	@Override
	public void afterCompletion(int status) {
		TransactionSynchronizationManager.unbindResourceIfPossible(this.resource);
		while (!this.locks.isEmpty()) {
			this.locks.pop().release();
		}
	}

	/**
	 * A lock of the current thread that outlives the call that acquired it. The lock is
	 * acquired again as {@link Lock}, without a call to the store.
	 */
	record TransactionBoundLock(LockOperations operations, String name, int permits) {

		private Lock asLock() {
			return this.operations.asLock(LockRequest.of(this.name).permits(this.permits));
		}

		/**
		 * Release the lock. A failure is logged, because there is no caller to report it
		 * to.
		 */
		private void release() {
			try {
				asLock().unlock();
			}
			catch (LockLostException ex) {
				logger.debug("Lock '" + this.name + "' was lost before it was released", ex);
			}
			catch (RuntimeException ex) {
				logger.warn("Lock '" + this.name + "' can't be released after a transaction", ex);
			}
		}

	}

}
