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

	/** End the section, on the thread of the section. */
	void end() {
		this.mutex.lock();
		try {
			this.ended = true;
			if (this.interrupted) {
				Thread.interrupted(); // the flag of this interruption: the caller
										// receives an exception instead
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Return whether an exception of the section means only that this class has
	 * interrupted the thread. A different exception that the section throws after the
	 * interrupt does not count.
	 */
	boolean isReasonOf(Throwable ex) {
		return this.interrupted && (ex instanceof InterruptedException || ex instanceof LockInterruptedException
				|| ex instanceof ClosedByInterruptException);
	}

}
