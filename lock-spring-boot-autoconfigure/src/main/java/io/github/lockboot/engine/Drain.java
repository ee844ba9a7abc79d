package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Waits until nothing of this instance is left in the store. Thread-safe.
 */
final class Drain {

	private final ReentrantLock mutex = new ReentrantLock();

	private final Condition changed = this.mutex.newCondition();

	/** Wake those up who wait. */
	void check() {
		this.mutex.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Wait until nothing is left. An interrupted thread does not wait.
	 * @param empty whether nothing is left; each change to true is followed by
	 * {@link #check()}
	 * @param timeout how long to wait
	 * @return whether nothing is left
	 */
	boolean await(BooleanSupplier empty, Duration timeout) {
		this.mutex.lock();
		try {
			long leftNanos = TimeUnit.NANOSECONDS.convert(timeout);
			while (!empty.getAsBoolean() && leftNanos > 0) {
				leftNanos = this.changed.awaitNanos(leftNanos);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.mutex.unlock();
		}
		return empty.getAsBoolean();
	}

}
