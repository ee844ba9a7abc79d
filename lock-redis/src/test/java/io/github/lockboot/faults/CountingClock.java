package io.github.lockboot.faults;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;

/**
 * The clock of the JVM, which counts the timers that have neither fired nor been
 * cancelled.
 */
final class CountingClock implements MonotonicClock {

	private final MonotonicClock clock = new SystemClock("lock-timer");

	private final AtomicInteger timers = new AtomicInteger();

	/** Return the number of pending timers. */
	int timers() {
		return this.timers.get();
	}

	@Override
	public long nanoTime() {
		return this.clock.nanoTime();
	}

	@Override
	public Timer schedule(long atNanos, Runnable task) {
		AtomicBoolean over = new AtomicBoolean();
		Runnable end = () -> {
			if (over.compareAndSet(false, true)) {
				this.timers.decrementAndGet();
			}
		};
		this.timers.incrementAndGet();
		Timer timer = this.clock.schedule(atNanos, () -> {
			end.run();
			task.run();
		});
		return () -> {
			timer.cancel();
			end.run();
		};
	}

	@Override
	public void onSuspended(Runnable task) {
		this.clock.onSuspended(task);
	}

	@Override
	public void close() {
		this.clock.close();
	}

}
