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
 * One run of a section under a lock: releases it at the end, and applies the caller's
 * {@link OnLost} policy to a lost lease.
 */
final class Section {

	private final ReentrantHold hold;

	private final OnLost onLost;

	Section(ReentrantHold hold, OnLost onLost) {
		this.hold = hold;
		this.onLost = onLost;
	}

	<T extends @Nullable Object, X extends Throwable> T run(LockCallback<T, X> body) throws X {
		Interruption interruption = (this.onLost == OnLost.INTERRUPT) ? new Interruption(Thread.currentThread()) : null;
		if (interruption != null) {
			this.hold.handle().onLost((QuickCallback) interruption::interrupt);
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
	 */
	private @Nullable LockLostException end(@Nullable Interruption interruption) {
		if (interruption != null) {
			interruption.end();
		}
		this.hold.release();
		return (this.onLost != OnLost.LOG) ? this.hold.handle().loss() : null;
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
