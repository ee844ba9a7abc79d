package io.github.lockboot.engine;

import java.util.random.RandomGenerator;

import org.jspecify.annotations.NullMarked;

import io.github.lockboot.concurrent.MonotonicClock;

/** A clock that stands, without timers; its workers are the calling threads. */
@NullMarked
final class StandingClock implements MonotonicClock {

	@Override
	public long nanoTime() {
		return 1;
	}

	@Override
	public Timer schedule(long atNanos, Runnable task) {
		return () -> {
		};
	}

	@Override
	public RandomGenerator random() {
		throw new UnsupportedOperationException("no randomness");
	}

	@Override
	public Workers workers(String name, int most) {
		return new Workers() {

			@Override
			public void execute(Runnable task) {
				task.run();
			}

			@Override
			public void close() {
				// has no threads
			}

		};
	}

	@Override
	public void close() {
		// has no timers
	}

}
