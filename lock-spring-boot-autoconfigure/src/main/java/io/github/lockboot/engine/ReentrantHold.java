package io.github.lockboot.engine;

import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.QuickCallback;

/**
 * One acquisition of a lock, or of several at once, by a thread that may hold them
 * already. Used by that thread only.
 *
 * @param locks what the thread holds
 * @param entries its entries for the locks
 * @param request as which they were acquired
 */
record ReentrantHold(ReentrantLocks locks, List<ReentrantLocks.Entry> entries, LockRequest request) {

	LockHandle handle() {
		return (this.entries.size() == 1) ? this.entries.get(0).hold() : this.locks.handleOf(holds());
	}

	/** Give back what the thread does not hold otherwise too; whether there was any. */
	boolean release() {
		if (this.entries.size() == 1) {
			return release(this.entries.get(0));
		}
		List<Hold> last = new ArrayList<>(this.entries.size());
		for (ReentrantLocks.Entry entry : this.entries) {
			if (this.locks.exit(entry, this.request)) {
				last.add(entry.hold());
			}
		}
		if (last.size() == 1) {
			last.get(0).close();
		}
		else if (!last.isEmpty()) {
			this.locks.handleOf(last).close();
		}
		this.entries.forEach((entry) -> entry.hold().loseIfOver());
		return !last.isEmpty();
	}

	private boolean release(ReentrantLocks.Entry entry) {
		boolean last = this.locks.exit(entry, this.request);
		if (last) {
			entry.hold().close();
		}
		entry.hold().loseIfOver();
		return last;
	}

	/**
	 * Run a section and release the lock at its end. Applies the caller's policy to a
	 * lost lease.
	 */
	<T extends @Nullable Object, X extends Throwable> T run(OnLost onLost, LockCallback<T, X> body) throws X {
		Interruption interruption = (onLost == OnLost.INTERRUPT) ? new Interruption(Thread.currentThread()) : null;
		if (interruption != null) {
			handle().onLost((QuickCallback) interruption::interrupt);
		}
		T result;
		try {
			result = body.call();
		}
		catch (Throwable ex) {
			LockLostException loss = end(interruption, onLost);
			if (loss != null && interruption != null && interruption.isToldBy(ex)) {
				loss.addSuppressed(ex);
				throw loss;
			}
			if (loss != null && loss != ex) {
				ex.addSuppressed(loss);
			}
			throw ex;
		}
		LockLostException loss = end(interruption, onLost);
		if (loss != null) {
			throw loss;
		}
		return result;
	}

	/**
	 * End the section.
	 */
	private @Nullable LockLostException end(@Nullable Interruption interruption, OnLost onLost) {
		if (interruption != null) {
			interruption.end();
		}
		release();
		return (onLost != OnLost.LOG) ? handle().loss() : null;
	}

	private List<Hold> holds() {
		return this.entries.stream().map(ReentrantLocks.Entry::hold).toList();
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
					Thread.interrupted(); // ours; the exception says so
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
