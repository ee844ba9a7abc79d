package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;

import io.github.lockboot.concurrent.Mutex;
import io.github.lockboot.engine.store.Backoff;

/**
 * The time for which this JVM keeps a lock that other JVMs may poll for, whether this JVM
 * passes the lock on or requests it again. In each slice the lock stays free for as long
 * as the longest pause between two polls, at the end of the slice or between the
 * sections, so that a JVM that polls acquires the lock, unless the store replies to the
 * release that no JVM polls. If no other JVM acquired the lock, the next slice is longer.
 * All queues of the lock share one instance. Thread-safe.
 */
final class TimeSlice {

	/**
	 * Longer than a pause between polls, so that a JVM that polls notices a free lock.
	 */
	private static final long SHORTEST_NANOS = 2 * Backoff.LONGEST_NANOS;

	/** Shorter than the default wait time. */
	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final Mutex mutex = new Mutex();

	private long lengthNanos = SHORTEST_NANOS;

	private long beganNanos;

	private volatile boolean running;

	private boolean afterPause;

	/** Whether no caller of this JVM holds, wants or leaves the lock, and since when. */
	private boolean free;

	private long freeSinceNanos;

	/** For how long no caller of this JVM wanted the lock in this slice. */
	private long freeNanos;

	/** Begin a slice for a lease, unless a slice is running. */
	void begin(long nowNanos) {
		this.mutex.run(() -> {
			this.freeNanos = this.running ? freeNanos(nowNanos) : 0;
			this.free = false;
			if (!this.running) {
				this.lengthNanos = this.afterPause ? Math.min(2 * this.lengthNanos, LONGEST_NANOS) : this.lengthNanos;
				this.beganNanos = nowNanos;
				this.running = true;
			}
		});
	}

	/**
	 * Note that nobody polls for the lock, for example once the store notifies waiters.
	 */
	void notPolled() {
		if (this.running) {
			reset();
		}
	}

	/** Note that the lock was released, and that no caller of this JVM waits for it. */
	void noteNoCallerWaits(long nowNanos) {
		this.mutex.run(() -> {
			this.free = true;
			this.freeSinceNanos = nowNanos;
		});
	}

	private long freeNanos(long nowNanos) {
		return this.freeNanos + (this.free ? nowNanos - this.freeSinceNanos : 0);
	}

	boolean isOver(long nowNanos) {
		return this.mutex.get(() -> this.running && nowNanos - this.beganNanos >= this.lengthNanos);
	}

	/** End the slice, and return until when the lock has to stay free. */
	long pause(long nowNanos) {
		return this.mutex.get(() -> {
			this.running = false;
			this.afterPause = true;
			return nowNanos + Backoff.LONGEST_NANOS;
		});
	}

	/**
	 * Note that a caller requests the lock, which no caller of this JVM wanted, and
	 * return until when the lock has to stay free, which may be now.
	 * @param leftNanos for how long the caller waits; a caller with a short wait time
	 * does not wait for a pause
	 */
	long requested(long nowNanos, long leftNanos) {
		return this.running ? requestedAgain(nowNanos, leftNanos) : nowNanos;
	}

	private long requestedAgain(long nowNanos, long leftNanos) {
		return this.mutex.get(() -> {
			long pauseNanos = Backoff.LONGEST_NANOS - freeNanos(nowNanos);
			if (this.running && pauseNanos <= 0) {
				reset();
			}
			if (!isOver(nowNanos) || leftNanos < 2 * Backoff.LONGEST_NANOS) {
				return nowNanos;
			}
			pause(nowNanos);
			return nowNanos + pauseNanos;
		});
	}

	/** Return whether the slice has ended and the next one has not begun. */
	boolean isPausing() {
		return this.mutex.get(() -> this.afterPause && !this.running);
	}

	/** Note that another JVM owns the lock, or that none waits for it. */
	void reset() {
		this.mutex.run(() -> {
			this.running = false;
			this.afterPause = false;
			this.lengthNanos = SHORTEST_NANOS;
		});
	}

}
