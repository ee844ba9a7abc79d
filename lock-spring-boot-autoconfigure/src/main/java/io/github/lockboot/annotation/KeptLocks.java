package io.github.lockboot.annotation;

import java.util.ArrayDeque;
import java.util.Deque;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The locks that are kept until one transaction is completed; of one thread.
 */
final class KeptLocks implements TransactionSynchronization {

	private final Object resource;

	private final Deque<KeptLock> locks = new ArrayDeque<>();

	/**
	 * Create an empty list.
	 * @param resource under which name it is bound to the transaction
	 */
	KeptLocks(Object resource) {
		this.resource = resource;
	}

	void keep(KeptLock lock) {
		lock.keep();
		this.locks.push(lock);
	}

	boolean contains(KeptLock lock) {
		return this.locks.contains(lock);
	}

	void ensureHeld() {
		this.locks.forEach(KeptLock::ensureHeld);
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

}
