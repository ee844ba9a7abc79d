package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import io.github.lockboot.engine.store.Backoff;

/**
 * The time for which this JVM keeps a lock that other JVMs may poll for, whether it
 * passes it on or requests it anew. In each slice the lock stays free for as long as the
 * longest pause between two polls, at its end or between the sections, so that a JVM that
 * polls acquires it, unless the store replies to the release that none does. If none
 * acquired it, the next slice is longer. All queues of the lock share it. Thread-safe.
 */
final class TimeSlice {

	/** Longer than a pause between polls, so that a JVM that yielded detects it. */
	private static final long SHORTEST_NANOS = 2 * Backoff.LONGEST_NANOS;

	/** Shorter than the default wait time. */
	private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

	private final ReentrantLock mutex = new ReentrantLock();

	private long lengthNanos = SHORTEST_NANOS;

	private long beganNanos;

	private volatile boolean running;

	private boolean afterPause;

	/** Whether nobody of this JVM has, wants or leaves the lock, and since when. */
	private boolean free;

	private long freeSinceNanos;

	/** For how long nobody of this JVM wanted the lock in this slice. */
	private long freeNanos;

	/** The lock is owned: a slice begins, unless one is running. */
	void owned(long nowNanos) {
		this.mutex.lock();
		try {
			this.freeNanos = this.running ? freeNanos(nowNanos) : 0;
			this.free = false;
			if (!this.running) {
				this.lengthNanos = this.afterPause ? Math.min(2 * this.lengthNanos, LONGEST_NANOS) : this.lengthNanos;
				this.beganNanos = nowNanos;
				this.running = true;
			}
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Nobody polls for the lock, as once the store notifies waiters. */
	void notPolled() {
		if (this.running) {
			reset();
		}
	}

	/** The lock was released, and nobody of this JVM waits for it. */
	void unwanted(long nowNanos) {
		this.mutex.lock();
		try {
			this.free = true;
			this.freeSinceNanos = nowNanos;
		}
		finally {
			this.mutex.unlock();
		}
	}

	private long freeNanos(long nowNanos) {
		return this.freeNanos + (this.free ? nowNanos - this.freeSinceNanos : 0);
	}

	boolean isOver(long nowNanos) {
		this.mutex.lock();
		try {
			return this.running && nowNanos - this.beganNanos >= this.lengthNanos;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** End the slice, and return until when the lock has to stay free. */
	long pause(long nowNanos) {
		this.mutex.lock();
		try {
			this.running = false;
			this.afterPause = true;
			return nowNanos + Backoff.LONGEST_NANOS;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * A caller requests the lock that nobody of this JVM wanted. Returns until when it
	 * has to stay free, which may be now.
	 * @param leftNanos for how long the caller waits: if that is short, not for a pause
	 */
	long requested(long nowNanos, long leftNanos) {
		return this.running ? requestedAgain(nowNanos, leftNanos) : nowNanos;
	}

	private long requestedAgain(long nowNanos, long leftNanos) {
		this.mutex.lock();
		try {
			long pauseNanos = Backoff.LONGEST_NANOS - freeNanos(nowNanos);
			if (this.running && pauseNanos <= 0) {
				reset();
			}
			if (!isOver(nowNanos) || leftNanos < 2 * Backoff.LONGEST_NANOS) {
				return nowNanos;
			}
			pause(nowNanos);
			return nowNanos + pauseNanos;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Return whether the slice has ended and the next one has not begun. */
	boolean isPausing() {
		this.mutex.lock();
		try {
			return this.afterPause && !this.running;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/** Another JVM owns the lock, or none waits for it. */
	void reset() {
		this.mutex.lock();
		try {
			this.running = false;
			this.afterPause = false;
			this.lengthNanos = SHORTEST_NANOS;
		}
		finally {
			this.mutex.unlock();
		}
	}

}
