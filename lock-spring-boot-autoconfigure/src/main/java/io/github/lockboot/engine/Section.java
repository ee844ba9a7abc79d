package io.github.lockboot.engine;

import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;

/**
 * One run of a section in an entry of its thread: leaves the entry at its end, and lets a
 * lost lease be felt as its caller wishes.
 */
final class Section {

	private final ThreadHolds threadHolds;

	private final ThreadHolds.Entry entry;

	private final LockRequest request;

	private final OnLost onLost;

	Section(ThreadHolds threadHolds, ThreadHolds.Entry entry, LockRequest request, OnLost onLost) {
		this.threadHolds = threadHolds;
		this.entry = entry;
		this.request = request;
		this.onLost = onLost;
	}

	<T extends @Nullable Object, X extends Throwable> T run(LockCallback<T, X> body) throws X {
		Interruption interruption = (this.onLost == OnLost.INTERRUPT) ? new Interruption(Thread.currentThread()) : null;
		if (interruption != null) {
			this.entry.hold().onLost(interruption::interrupt);
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
		Hold hold = this.entry.hold();
		this.threadHolds.exit(this.entry, this.request);
		return (this.onLost != OnLost.LOG) ? hold.loss() : null;
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
