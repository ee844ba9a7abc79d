package io.github.lockboot.engine;

import java.nio.channels.ClosedByInterruptException;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.QuickCallback;
import io.github.lockboot.concurrent.Mutex;

/**
 * Interrupts the thread of a section when it loses its lock, and never after the section.
 */
final class SectionInterruption implements QuickCallback {

	private final Mutex mutex = new Mutex();

	private final Thread thread = Thread.currentThread();

	private boolean ended;

	private boolean interrupted;

	@Override
	public void run() {
		this.mutex.run(() -> {
			if (!this.ended) {
				this.interrupted = true;
				this.thread.interrupt();
			}
		});
	}

	/** End the section, on the thread of the section. */
	void end() {
		this.mutex.run(() -> {
			this.ended = true;
			if (this.interrupted) {
				Thread.interrupted(); // the flag of this interruption: the caller
										// receives an exception instead
			}
		});
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
