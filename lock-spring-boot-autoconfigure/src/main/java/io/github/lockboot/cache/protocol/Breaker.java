package io.github.lockboot.cache.protocol;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Spares callers to wait for a Redis that does not answer: after some failures in a row
 * nobody asks for a while, then one call tries. Commands that were under way at the same
 * time fail together, which is one failure. Thread-safe.
 */
final class Breaker {

	private static final int LIMIT = 3;

	private final ReentrantLock mutex = new ReentrantLock();

	private final CacheClock clock;

	private final long pauseNanos;

	private int failures;

	private long lastFailureNanos;

	private long closedUntilNanos;

	private boolean retired;

	Breaker(CacheClock clock, Duration pause) {
		this.clock = clock;
		this.pauseNanos = pause.toNanos();
	}

	/** Whether to ask Redis; who is told so must report the outcome. */
	boolean allows() {
		this.mutex.lock();
		try {
			if (this.failures < LIMIT) {
				return true;
			}
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
	 * Tell of no failure any more, also of those still to come.
	 * @return whether Redis was not asked
	 */
	boolean retire() {
		this.mutex.lock();
		try {
			this.retired = true;
			boolean open = this.failures >= LIMIT;
			this.failures = 0;
			return open;
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
			if (this.retired || (this.failures > 0 && sentNanos - this.lastFailureNanos < 0)) {
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
