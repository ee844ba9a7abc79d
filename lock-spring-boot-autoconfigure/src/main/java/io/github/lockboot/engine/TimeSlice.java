package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;

import io.github.lockboot.engine.store.Backoff;

/**
 * How long this JVM keeps a lock for which other JVMs may poll: the store does not know
 * whether they do. After each slice the lock stays free for as long as the longest pause
 * between two polls, so that a JVM that polls gets it. If nobody did, the next slice is
 * longer. Guarded by the mutex of its {@link LockQueue}.
 */
final class TimeSlice {

	/** Longer than a pause between polls: a JVM that had to give way notices it. */
	private static final long SHORTEST_NANOS = 2 * Backoff.LONGEST_NANOS;

	/** Shorter than the default wait time. */
	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

	private long lengthNanos = SHORTEST_NANOS;

	private long beganNanos;

	private boolean running;

	private boolean afterPause;

	/**
	 * The lock is owned: a slice begins, unless it is owned again within one.
	 */
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

	/**
	 * End the slice.
	 */
	long pause(long nowNanos) {
		this.running = false;
		this.afterPause = true;
		return nowNanos + Backoff.LONGEST_NANOS;
	}

	/** Somebody else has the lock. */
	void missed() {
		this.running = false;
		this.afterPause = false;
		this.lengthNanos = SHORTEST_NANOS;
	}

}
