package io.github.lockboot.engine;

import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.OnLost;
import io.github.lockboot.QuickCallback;

/**
 * One run of a section during a stay of its thread: leaves at its end, and lets a lost
 * lease be felt as its caller wishes.
 */
final class Section {

	private final Stay stay;

	private final OnLost onLost;

	Section(Stay stay, OnLost onLost) {
		this.stay = stay;
		this.onLost = onLost;
	}

	<T extends @Nullable Object, X extends Throwable> T run(LockCallback<T, X> body) throws X {
		Interruption interruption = (this.onLost == OnLost.INTERRUPT) ? new Interruption(Thread.currentThread()) : null;
		if (interruption != null) {
			this.stay.hold().onLost((QuickCallback) interruption::interrupt);
		}
		T result;
		try {
			result = body.call();
		}
		catch (Throwable ex) {
			LockLostException loss = end(interruption);
			if (loss != null && interruption != null && interruption.isToldBy(ex)) {
				loss.addSuppressed(ex);
				throw loss;
			}
			if (loss != null && loss != ex) {
				ex.addSuppressed(loss);
			}
			throw ex;
		}
		LockLostException loss = end(interruption);
		if (loss != null) {
			throw loss;
		}
		return result;
	}

	/**
	 * End the section.
	 * @return the loss if it is to be thrown
	 */
	private @Nullable LockLostException end(@Nullable Interruption interruption) {
		if (interruption != null) {
			interruption.end();
		}
		this.stay.leave();
		return (this.onLost != OnLost.LOG) ? this.stay.hold().loss() : null;
	}

	/**
	 * Interrupts a thread while its section runs, and never after it.
	 */
	private static final class Interruption {

		private final ReentrantLock mutex = new ReentrantLock();

		private final Thread thread;

		private boolean ended;

		private boolean interrupted;

		Interruption(Thread thread) {
			this.thread = thread;
		}

		void interrupt() {
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

		void end() {
			this.mutex.lock();
			try {
				this.ended = true;
				if (this.interrupted) {
					Thread.interrupted(); // ours, and told by the exception
				}
			}
			finally {
				this.mutex.unlock();
			}
		}

		/**
		 * Whether an exception says no more than that the thread was interrupted here.
		 * One that the section has made of it is its own.
		 */
		boolean isToldBy(Throwable ex) {
			return this.interrupted && (ex instanceof InterruptedException || ex instanceof LockInterruptedException
					|| ex instanceof ClosedByInterruptException);
		}

	}

}
