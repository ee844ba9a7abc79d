package io.github.lockboot.engine;

import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.locks.ReentrantLock;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.QuickCallback;

/**
 * Interrupts the thread of a section when it loses its lock, and never after the section.
 */
final class SectionInterruption implements QuickCallback {

	private final ReentrantLock mutex = new ReentrantLock();

	private final Thread thread = Thread.currentThread();

	private boolean ended;

	private boolean interrupted;

	@Override
	public void run() {
		this.mutex.lock();
		try {
			if (!this.ended) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** End the section, on its thread. */
	void end() {
		this.mutex.lock();
		try {
			this.ended = true;
			if (this.interrupted) {
				Thread.interrupted(); // ours: the caller receives an exception for it
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Return whether an exception of the section means only that its thread was
	 * interrupted here. An exception that the section has made of that is its own.
	 */
	boolean isReasonOf(Throwable ex) {
		return this.interrupted && (ex instanceof InterruptedException || ex instanceof LockInterruptedException
				|| ex instanceof ClosedByInterruptException);
	}

}
