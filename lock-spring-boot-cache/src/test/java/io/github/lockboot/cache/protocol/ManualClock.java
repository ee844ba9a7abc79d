package io.github.lockboot.cache.protocol;

import java.time.Duration;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A clock that only a test advances. It has no timers.
 */
final class ManualClock implements MonotonicClock {

	private long nanos = 1_000_000_000;

	void advance(Duration time) {
		this.nanos += time.toNanos();
	}

	@Override
	public long nanoTime() {
		return this.nanos;
	}

	@Override
	public Timer schedule(long atNanos, Runnable task) {
		throw new UnsupportedOperationException();
	}

	@Override
	public void close() {
	}

}
