package io.github.lockboot.annotation;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import io.github.lockboot.LockLostException;
import io.github.lockboot.LockOperations;

/**
 * A lock of the present thread that outlives the call that took it: taken once more as
 * {@link java.util.concurrent.locks.Lock}, which makes no trip to the store.
 *
 * @param operations what took it
 * @param name name of the lock
 */
record KeptLock(LockOperations operations, String name) {

	private static final Log logger = LogFactory.getLog(KeptLock.class);

	void keep() {
		this.operations.asLock(this.name).lock();
	}

	void ensureHeld() {
		this.operations.ensureHeld(this.name);
	}

	/** Nobody is left who could be told of a failure. */
	void release() {
		try {
			this.operations.asLock(this.name).unlock();
		}
		catch (LockLostException ex) {
			logger.debug("Lock '" + this.name + "' was lost before it was given back", ex);
		}
		catch (RuntimeException ex) {
			logger.warn("Lock '" + this.name + "' can't be given back after a transaction", ex);
		}
	}

}
