package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * A circuit breaker: after three failures in a row nobody asks Redis for a while, then
 * one call tries. Commands that were under way at the same time fail together, which is
 * one failure. Thread-safe.
 */
final class Breaker {

	private static final int LIMIT = 3;

	private final ReentrantLock mutex = new ReentrantLock();

	private final MonotonicClock clock;

	private final long pauseNanos;

	/** Read without the mutex by each command. */
	private volatile int failures;

	private long lastFailureNanos;

	private long closedUntilNanos;

	Breaker(MonotonicClock clock, Duration pause) {
		this.clock = clock;
		this.pauseNanos = pause.toNanos();
	}

	/** Whether to ask Redis; a caller that may must report the outcome. */
	boolean allows() {
		if (this.failures < LIMIT) {
			return true;
		}
		this.mutex.lock();
		try {
			long now = this.clock.nanoTime();
			if (now - this.closedUntilNanos < 0) {
				return false;
			}
			this.closedUntilNanos = now + this.pauseNanos;
			return true;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Return whether Redis is asked again from now on. */
	boolean succeeded() {
		if (this.failures == 0) {
			return false;
		}
		this.mutex.lock();
		try {
			boolean resumed = this.failures >= LIMIT;
			this.failures = 0;
			return resumed;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * A command has failed.
	 * @param sentNanos when it was sent
	 * @return whether Redis is not asked from now on, and was before
	 */
	boolean failed(long sentNanos) {
		this.mutex.lock();
		try {
			if (this.failures > 0 && sentNanos - this.lastFailureNanos < 0) {
				return false;
			}
			this.failures++;
			this.lastFailureNanos = this.clock.nanoTime();
			if (this.failures == LIMIT) {
				this.closedUntilNanos = this.lastFailureNanos + this.pauseNanos;
			}
			return this.failures == LIMIT;
		}
		finally {
			this.mutex.unlock();
		}
	}

}
