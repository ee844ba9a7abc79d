package io.github.lockboot.engine;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockLostException;
import io.github.lockboot.OnLost;

/**
 * One run of a section under a hold: lets a lost lease be felt as its caller wishes.
 */
final class Section {

	private final Hold hold;

	private final OnLost onLost;

	private final boolean outermost;

	Section(Hold hold, OnLost onLost, boolean outermost) {
		this.hold = hold;
		this.onLost = onLost;
		this.outermost = outermost;
	}

	<T extends @Nullable Object, X extends Throwable> T run(LockCallback<T, X> body) throws X {
		Interruption interruption = (this.onLost == OnLost.INTERRUPT) ? new Interruption(Thread.currentThread()) : null;
		if (interruption != null) {
			this.hold.onLost(interruption::interrupt);
		}
		T result;
		try {
			result = body.call();
		}
		catch (Throwable ex) {
			LockLostException loss = end(interruption);
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
		if (this.outermost) {
			this.hold.close();
		}
		else {
			this.hold.loseIfOver();
		}
		return (this.onLost != OnLost.LOG) ? this.hold.loss() : null;
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

	}

}
