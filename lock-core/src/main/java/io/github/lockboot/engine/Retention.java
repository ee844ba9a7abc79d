package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.MonotonicClock;

/**
 * For how long an {@link OwnedLease} stays in this JVM although nobody holds it. A lock
 * that is acquired again at once, again and again, sets a timer only from time to time; a
 * lock that nobody acquires becomes idle. Guarded by the mutex of the {@link LockQueue}.
 */
final class Retention {

	/**
	 * How long a lock that nobody holds keeps its lease, without any request to the
	 * store.
	 */
	private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	private final MonotonicClock clock;

	private final Runnable onTimer;

	/** Since when nobody has held the lock, and for how long it is retained. */
	private long sinceNanos;

	private long lengthNanos;

	/** Whether a caller of this JVM has taken the lock again. */
	private boolean ofUse;

	/** Whether nobody has held the lock for so long that its lease is short. */
	private boolean idle;

	private MonotonicClock.@Nullable Timer timer;

	private long timerNanos;

	/**
	 * Create a retention that has not begun.
	 * @param onTimer called when it is time to {@link #look}
	 */
	Retention(MonotonicClock clock, Runnable onTimer) {
		this.clock = clock;
		this.onTimer = onTimer;
	}

	void begin(long lengthNanos, long nowNanos) {
		this.sinceNanos = nowNanos;
		this.lengthNanos = lengthNanos;
		long idleNanos = nowNanos + Math.min(IDLE_NANOS, lengthNanos);
		if (this.timer == null || this.timerNanos - idleNanos > 0) {
			lookAt(idleNanos);
		}
	}

	/** Note that a caller has taken the lock, and return whether the lock was idle. */
	boolean taken() {
		this.ofUse = true;
		return stopIdling();
	}

	/** Return whether a caller of this JVM has ever taken the lock. */
	boolean isOfUse() {
		return this.ofUse;
	}

	/** Decide what to do now with a lock that is retained, or held again. */
	Look look(boolean retained) {
		this.timer = null;
		long idleNanos = retained ? this.clock.nanoTime() - this.sinceNanos : 0;
		if (retained && idleNanos >= this.lengthNanos) {
			return Look.OVER;
		}
		this.idle = idleNanos >= IDLE_NANOS;
		if (retained) {
			lookAt(this.sinceNanos + (this.idle ? this.lengthNanos : Math.min(IDLE_NANOS, this.lengthNanos)));
		}
		return this.idle ? Look.IDLE : Look.BUSY;
	}

	private void lookAt(long atNanos) {
		if (this.timer != null) {
			this.timer.cancel();
		}
		this.timerNanos = atNanos;
		this.timer = this.clock.schedule(atNanos, this.onTimer);
	}

	/** Stop the timer, and return whether the lock was idle. */
	boolean stop() {
		if (this.timer != null) {
			this.timer.cancel();
		}
		return stopIdling();
	}

	private boolean stopIdling() {
		boolean stopped = this.idle;
		this.idle = false;
		return stopped;
	}

	/** What a timer found. */
	enum Look {

		/** Callers hold the lock, or have held it a moment ago. */
		BUSY,

		/** Nobody has held the lock for a while. */
		IDLE,

		/** Nobody has held the lock for the whole time. */
		OVER

	}

	/**
	 * How many releases pass without a retention after retentions in vain.
	 *
	 * @param inVain how many releases passed after the last retention that was in vain
	 * @param releases how many releases have to pass before the next retention
	 */
	record Backoff(int inVain, int releases) {

		static final Backoff NONE = new Backoff(0, 0);

		private static final int FEWEST = 16;

		private static final int MOST = 256;

		boolean isOver() {
			return this.releases == 0;
		}

		Backoff released() {
			return isOver() ? this : new Backoff(this.inVain, this.releases - 1);
		}

		/**
		 * Note that another JVM waited for a lock that this JVM had retained, with use or
		 * in vain.
		 */
		Backoff recalled(boolean ofUse) {
			int inVain = ofUse ? 0 : Math.min(Math.max(FEWEST, 2 * this.inVain), MOST);
			return new Backoff(inVain, inVain);
		}

	}

}
