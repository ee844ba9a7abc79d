package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.awaitility.Awaitility;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.SystemClock;

/**
 * The system's clock, except that the test runs the longest timers.
 */
final class HeldTimerClock implements MonotonicClock {

	private final MonotonicClock clock = new SystemClock("cache-timer");

	private final List<Runnable> held = new CopyOnWriteArrayList<>();

	private final Duration longest;

	HeldTimerClock(Duration longest) {
		this.longest = longest;
	}

	/** Run the timers that are held, at least a number of them. */
	void runHeld(int count) {
		Awaitility.await().until(() -> this.held.size() >= count);
		this.held.forEach(Runnable::run);
	}

	@Override
	public long nanoTime() {
		return this.clock.nanoTime();
	}

	@Override
	public Timer schedule(long atNanos, Runnable task) {
		if (atNanos - nanoTime() < this.longest.toNanos()) {
			return this.clock.schedule(atNanos, task);
		}
		this.held.add(task);
		return () -> this.held.remove(task);
	}

	@Override
	public void close() {
		this.clock.close();
	}

}
