package io.github.lockboot.engine;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * During shutdown, admits only threads that already hold a lock and need another one to
 * come to their end; finally nobody. Waits until all locks are given back. Thread-safe.
 */
final class ShutdownGate {

	private static final Outcome CLOSED = new Outcome.Stopping("the locks are closed");

	private static final Outcome STOPPING = new Outcome.Stopping("the application stops, and gives out no more locks");

	private final ReentrantLock mutex = new ReentrantLock();

	private final Condition changed = this.mutex.newCondition();

	private volatile State state = State.OPEN;

	enum State {

		OPEN, SECTIONS_ONLY, STOPPED, CLOSED

	}

	boolean isOpen() {
		return this.state == State.OPEN;
	}

	/** Nothing leads out of {@link State#CLOSED}. */
	void enter(State next) {
		this.mutex.lock();
		try {
			this.state = (this.state == State.CLOSED) ? State.CLOSED : next;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Return why a caller may not come in, or not stay; {@code null} if it may. */
	@Nullable Outcome refusal(Waiter waiter) {
		return switch (this.state) {
			case OPEN -> null;
			case SECTIONS_ONLY -> waiter.call().ofSection() ? null : STOPPING;
			case STOPPED -> STOPPING;
			case CLOSED -> CLOSED;
		};
	}

	/** Wake up the threads in {@link #await}. */
	void check() {
		if (!isOpen()) {
			this.mutex.lock();
			try {
				this.changed.signalAll();
			}
			finally {
				this.mutex.unlock();
			}
		}
	}

	/**
	 * Wait until nothing is left. An interrupted thread does not wait.
	 * @param empty whether nothing is left; each change to true is followed by
	 * {@link #check()}
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
