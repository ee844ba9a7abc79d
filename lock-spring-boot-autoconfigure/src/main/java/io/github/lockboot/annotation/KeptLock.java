package io.github.lockboot.annotation;

import java.util.concurrent.locks.Lock;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * A lock of the present thread that outlives the call that took it: taken once more as
 * {@link java.util.concurrent.locks.Lock}, which makes no trip to the store.
 *
 * @param operations what took it
 * @param name name of the lock
 * @param permits how many may hold the lock together with the thread
 */
record KeptLock(LockOperations operations, String name, int permits) {

	private static final Log logger = LogFactory.getLog(KeptLock.class);

	void keep() {
		asLock().lock();
	}

	void ensureHeld() {
		this.operations.ensureHeld(this.name);
	}

	private Lock asLock() {
		return this.operations.asLock(LockRequest.of(this.name).permits(this.permits));
	}

	/** Nobody is left who could be told of a failure. */
	void release() {
		try {
			asLock().unlock();
		}
		catch (LockLostException ex) {
			logger.debug("Lock '" + this.name + "' was lost before it was given back", ex);
		}
		catch (RuntimeException ex) {
			logger.warn("Lock '" + this.name + "' can't be given back after a transaction", ex);
		}
	}

}
