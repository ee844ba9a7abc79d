package io.github.lockboot.simulation;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * A thread that the library starts and that waits in virtual time. This thread and that
 * of the scheduler never run at the same time, so that a history stays the same.
 */
final class WaitingThread {

	/** How long the library may take until it waits, in the time of the machine. */
	private static final int MOST_MILLIS = 30_000;

	private final Scheduler scheduler;

	private final Scheduler.Machine machine;

	/** A permit for each wait that has begun. */
	private final Semaphore begun = new Semaphore(0);

	/** A permit for each wait that has ended. */
	private final Semaphore ended = new Semaphore(0);

	private volatile @Nullable Thread thread;

	/** The number of the present wait, or of the last one. */
	private long number;

	private boolean waiting;

	WaitingThread(Scheduler scheduler, Scheduler.Machine machine) {
		this.scheduler = scheduler;
		this.machine = machine;
	}

	// ---- on this thread

	/**
	 * Wait.
	 * @param mostNanos how long at most
	 * @param begin receives what ends the wait
	 */
	void await(long mostNanos, Consumer<Runnable> begin) throws InterruptedException {
		this.thread = Thread.currentThread();
		long wait = ++this.number;
		this.waiting = true;
		begin.accept(() -> this.scheduler.after(this.machine, 0, () -> end(wait)));
		if (mostNanos < Long.MAX_VALUE) {
			this.scheduler.after(this.machine, mostNanos, () -> end(wait));
		}
		this.begun.release();
		try {
			this.ended.acquire();
		}
		finally {
			this.waiting = false;
		}
	}

	// ---- on the thread of the scheduler

	/** End a wait, unless it has ended. */
	private void end(long wait) {
		if (this.waiting && this.number == wait) {
			this.ended.release();
			awaitWait();
		}
	}

	/** Let the library start this thread, and wait until this thread waits. */
	void start(Runnable start) {
		this.thread = null;
		start.run();
		awaitWait();
	}

	/** Let this thread run until it waits again, or has ended. */
	private void awaitWait() {
		try {
			for (int millis = 0; !this.begun.tryAcquire(1, TimeUnit.MILLISECONDS); millis++) {
				Thread thread = this.thread;
				if (thread != null && !thread.isAlive()) {
					return;
				}
				Assert.state(millis < MOST_MILLIS, "A thread of the library has neither waited nor ended");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("The simulation was interrupted", ex);
		}
	}

}
