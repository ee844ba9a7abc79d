package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;

import io.github.lockboot.engine.store.Backoff;

/**
 * The time for which this JVM keeps a lock that other JVMs may poll for. After each slice
 * the lock stays free for as long as the longest pause between two polls, so that a JVM
 * that polls acquires it, unless the store replies to the release that none does. If none
 * acquired it, the next slice is longer. Guarded by the mutex of its {@link LockQueue}.
 */
final class TimeSlice {

	/** Longer than a pause between polls, so that a JVM that yielded detects it. */
	private static final long SHORTEST_NANOS = 2 * Backoff.LONGEST_NANOS;

	/** Shorter than the default wait time. */
	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

	private long lengthNanos = SHORTEST_NANOS;

	private long beganNanos;

	private boolean running;

	private boolean afterPause;

	/** The lock is owned: a slice begins, unless one is running. */
	void owned(long nowNanos) {
		if (this.running) {
			return;
		}
		if (this.afterPause) {
			this.lengthNanos = Math.min(2 * this.lengthNanos, LONGEST_NANOS);
		}
		this.running = true;
		this.beganNanos = nowNanos;
	}

	boolean isOver(long nowNanos) {
		return this.running && nowNanos - this.beganNanos >= this.lengthNanos;
	}

	/** End the slice, and return until when the lock has to stay free. */
	long pause(long nowNanos) {
		this.running = false;
		this.afterPause = true;
		return nowNanos + Backoff.LONGEST_NANOS;
	}

	/** Return whether the slice has ended and the next one has not begun. */
	boolean isPausing() {
		return this.afterPause && !this.running;
	}

	/** Another JVM owns the lock, or none waits for it. */
	void reset() {
		this.running = false;
		this.afterPause = false;
		this.lengthNanos = SHORTEST_NANOS;
	}

}
