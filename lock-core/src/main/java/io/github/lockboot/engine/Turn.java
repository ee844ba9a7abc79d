package io.github.lockboot.engine;

import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.concurrent.Backoff;
import io.github.lockboot.engine.store.LockStore;

/**
 * For how long this JVM keeps a lock for its callers before other JVMs have their turn.
 * Other JVMs wait with the store's knowledge, or may poll without it; for the latter
 * there is a {@link TimeSlice}. All exclusive attempts at a lock have one turn. Guarded
 * by the mutex of the {@link LockQueue}.
 */
final class Turn {

	/** How long a lease is passed on within this JVM while another JVM waits. */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * How long a lease is passed on while a waiter polls, and how long callers may join
	 * the holders of a shared lock for which others may poll.
	 */
	private static final long POLLED_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	/**
	 * How long a lock waits for its next caller while another JVM waits. A hand-over
	 * takes longer.
	 */
	private static final long HOLD_OFF_NANOS = TimeUnit.MICROSECONDS.toNanos(300);

	/** Present if waiters of the store poll. */
	private final @Nullable TimeSlice slice;

	private Retention.Backoff backoff = Retention.Backoff.AFTER_16;

	private Retention.Backoff holdOffs = Retention.Backoff.AFTER_1;

	/** Whether no caller of this JVM has come since the last one left, and since when. */
	private boolean left;

	private long leftNanos;

	/** Whether a caller came back soon after its section, in its last turn. */
	private boolean returns;

	/** Whether a waiter polls, of those that the store knows. */
	private boolean polled;

	/**
	 * Create a turn.
	 * @param polled whether waiters of the store poll
	 */
	Turn(boolean polled) {
		this.slice = polled ? new TimeSlice() : null;
	}

	// ---- other JVMs that wait with the store's knowledge

	/**
	 * Note that a lease begins or was renewed, while a number of other attempts waited in
	 * the store.
	 */
	void renewed(Lease lease, long queued, long nowNanos) {
		this.polled = queued == LockStore.POLLED_QUEUE;
		if (this.slice != null && lease.isPolled()) {
			this.slice.begin(nowNanos);
		}
		else if (this.slice != null) {
			this.slice.notPolled();
		}
	}

	/**
	 * Return whether a caller may join the holders of a shared lock. Otherwise the caller
	 * has to queue in the store behind others that wait, or that poll and may have waited
	 * for some time without the knowledge of this JVM.
	 */
	static boolean mayJoin(boolean waitedBehind, Lease lease, long ownedNanos) {
		return !waitedBehind && !(lease.isPolled() && ownedNanos >= POLLED_TURN_NANOS);
	}

	/** Return whether the turn is over if another JVM waits. */
	private boolean isOver(long ownedNanos) {
		return ownedNanos >= (this.polled ? POLLED_TURN_NANOS : TURN_NANOS);
	}

	/** Return whether a holder may pass the lease on to a caller of this JVM. */
	boolean mayPass(boolean waitedBehind, Lease lease, long ownedNanos, long nowNanos) {
		return !(waitedBehind && isOver(ownedNanos)) && !isSliceOver(lease.isPolled(), nowNanos);
	}

	/**
	 * Return for how long this JVM keeps a lock for its next caller. After retentions in
	 * vain, some releases pass without a retention.
	 * @param awaited whether another JVM waits
	 * @param wantedNanos how long the last holder wants to keep the lock if none does
	 */
	long retainNanos(boolean awaited, long wantedNanos, long ownedNanos) {
		if (awaited) {
			return holdOffNanos(ownedNanos);
		}
		boolean again = this.backoff.isOver();
		this.backoff = this.backoff.released();
		return again ? wantedNanos : 0;
	}

	/** Note that another JVM waits for a retained lock. */
	void recalled(boolean ofUse) {
		this.backoff = this.backoff.recalled(ofUse);
	}

	// ---- a lock that waits for its next caller, before its turn is over

	/**
	 * Note that the last caller has left the lock, or that the store has replied to its
	 * release, which the caller may wait for.
	 */
	void left(boolean replied, long nowNanos) {
		this.left |= !replied;
		this.leftNanos = nowNanos;
	}

	/**
	 * Return for how long this JVM keeps the lock for its next caller although another
	 * JVM waits: not at all if the turn is over, if no caller came back soon in the last
	 * turn, or after this was in vain.
	 */
	private long holdOffNanos(long ownedNanos) {
		boolean again = this.holdOffs.isOver();
		this.holdOffs = this.holdOffs.released();
		return (again && this.returns && !isOver(ownedNanos)) ? HOLD_OFF_NANOS : 0;
	}

	/** Note that the lock waited for its next caller, who came or did not. */
	void heldOff(boolean ofUse) {
		this.returns = ofUse;
		this.holdOffs = this.holdOffs.recalled(ofUse);
	}

	// ---- other JVMs that may poll

	private boolean isSliceOver(boolean polled, long nowNanos) {
		return this.slice != null && polled && this.slice.isOver(nowNanos);
	}

	/**
	 * Note that a caller requests the lock, and return when to send the first request for
	 * the caller, which may be now.
	 */
	long requestNanos(Waiter first, long nowNanos) {
		this.returns |= this.left && nowNanos - this.leftNanos <= HOLD_OFF_NANOS;
		this.left = false;
		return (this.slice == null || first.isLeaving()) ? nowNanos
				: this.slice.requested(nowNanos, first.call().leftNanos(nowNanos));
	}

	/** Return when callers may request the lock after its lease, which may be now. */
	long nextRequestNanos(boolean polled, long nowNanos) {
		return (this.slice != null && isSliceOver(polled, nowNanos)) ? this.slice.pause(nowNanos) : nowNanos;
	}

	/** Note that no caller of this JVM waits for the lock after its lease. */
	void noteNoCallerWaits(long nowNanos) {
		if (this.slice != null) {
			this.slice.noteNoCallerWaits(nowNanos);
		}
	}

	/** Note that another JVM owns the lock. */
	void ownedElsewhere() {
		if (this.slice != null) {
			this.slice.reset();
		}
	}

	/**
	 * Note that no other JVM waited for the lock when it was released, and return whether
	 * the lock was to stay free for others.
	 */
	boolean noteNobodyWaited() {
		if (this.slice == null) {
			return false;
		}
		boolean pausing = this.slice.isPausing();
		this.slice.reset();
		return pausing;
	}

	/** Begin a slice for a lease, whose beginning may have come before other news. */
	void beginSlice(long nowNanos) {
		if (this.slice != null) {
			this.slice.begin(nowNanos);
		}
	}

	/**
	 * For how long an {@link OwnedLease} stays in this JVM although nobody holds it. A
	 * lock that nobody acquires becomes idle. Guarded by the mutex of the
	 * {@link LockQueue}.
	 */
	static final class Retention {

		/**
		 * How long a lock that nobody holds keeps its lease, without any request to the
		 * store.
		 */
		private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

		/** Since when nobody has held the lock, and for how long it is retained. */
		private long sinceNanos;

		private long lengthNanos;

		/** Whether another JVM waits. */
		private boolean holdOff;

		/** Whether a caller of this JVM has taken the lock again. */
		private boolean ofUse;

		/** Whether nobody has held the lock for so long that its lease is short. */
		private boolean idle;

		void begin(boolean holdOff, long lengthNanos, long nowNanos) {
			this.holdOff = holdOff;
			this.sinceNanos = nowNanos;
			this.lengthNanos = lengthNanos;
		}

		/** Note that a caller has taken the lock. */
		void taken() {
			this.ofUse = true;
		}

		/** Return whether a caller of this JVM has ever taken the lock. */
		boolean isOfUse() {
			return this.ofUse;
		}

		/** Return whether the lock waits for a caller although another JVM waits. */
		boolean isHoldOff() {
			return this.holdOff;
		}

		boolean isOver(long nowNanos) {
			return nowNanos - this.sinceNanos >= this.lengthNanos;
		}

		/** Return whether the lock is idle from now on. */
		boolean becomesIdle(long nowNanos) {
			if (this.idle || nowNanos - this.sinceNanos < IDLE_NANOS) {
				return false;
			}
			this.idle = true;
			return true;
		}

		/** Return whether the lock was idle until now. */
		boolean stopIdling() {
			boolean stopped = this.idle;
			this.idle = false;
			return stopped;
		}

		/** Return when the lock becomes idle, or when its time is over. */
		long wakeNanos() {
			return this.sinceNanos + (this.idle ? this.lengthNanos : Math.min(IDLE_NANOS, this.lengthNanos));
		}

		/**
		 * How many releases pass without a retention after retentions in vain.
		 *
		 * @param fewest how many releases pass after the first one in vain
		 * @param inVain how many releases passed after the last retention that was in
		 * vain
		 * @param releases how many releases have to pass before the next retention
		 */
		record Backoff(int fewest, int inVain, int releases) {

			private static final Backoff AFTER_1 = new Backoff(1, 0, 0);

			private static final Backoff AFTER_16 = new Backoff(16, 0, 0);

			private static final int MOST = 256;

			boolean isOver() {
				return this.releases == 0;
			}

			Backoff released() {
				return isOver() ? this : new Backoff(this.fewest, this.inVain, this.releases - 1);
			}

			/**
			 * Note that another JVM waited for a lock that this JVM had retained, with
			 * use or in vain.
			 */
			Backoff recalled(boolean ofUse) {
				int inVain = ofUse ? 0 : Math.min(Math.max(this.fewest, 2 * this.inVain), MOST);
				return new Backoff(this.fewest, inVain, inVain);
			}

		}

	}

	/**
	 * The time for which this JVM keeps a lock that other JVMs may poll for, whether this
	 * JVM passes the lock on or requests it again. In each slice the lock stays free for
	 * as long as the longest pause between two polls, at the end of the slice or between
	 * the sections, so that a JVM that polls acquires the lock, unless the store replies
	 * to the release that no JVM polls. If no other JVM acquired the lock, the next slice
	 * is longer. Guarded by the mutex of the {@link LockQueue}.
	 */
	private static final class TimeSlice {

		/**
		 * Longer than a pause between polls, so that a JVM that polls notices a free
		 * lock.
		 */
		private static final long SHORTEST_NANOS = 2 * Backoff.LONGEST_NANOS;

		/** Shorter than the default wait time. */
		private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(2);

		private long lengthNanos = SHORTEST_NANOS;

		private long beganNanos;

		private boolean running;

		private boolean afterPause;

		/**
		 * Whether no caller of this JVM holds, wants or leaves the lock, and since when.
		 */
		private boolean free;

		private long freeSinceNanos;

		/** For how long no caller of this JVM wanted the lock in this slice. */
		private long freeNanos;

		/** Begin a slice for a lease, unless a slice is running. */
		void begin(long nowNanos) {
			this.freeNanos = this.running ? freeNanos(nowNanos) : 0;
			this.free = false;
			if (!this.running) {
				this.lengthNanos = this.afterPause ? Math.min(2 * this.lengthNanos, LONGEST_NANOS) : this.lengthNanos;
				this.beganNanos = nowNanos;
				this.running = true;
			}
		}

		/**
		 * Note that nobody polls for the lock, for example once the store notifies
		 * waiters.
		 */
		void notPolled() {
			if (this.running) {
				reset();
			}
		}

		/**
		 * Note that the lock was released, and that no caller of this JVM waits for it.
		 */
		void noteNoCallerWaits(long nowNanos) {
			this.free = true;
			this.freeSinceNanos = nowNanos;
		}

		private long freeNanos(long nowNanos) {
			return this.freeNanos + (this.free ? nowNanos - this.freeSinceNanos : 0);
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

		/**
		 * Note that a caller requests the lock, which no caller of this JVM wanted, and
		 * return until when the lock has to stay free, which may be now.
		 * @param leftNanos for how long the caller waits; a caller with a short wait time
		 * does not wait for a pause
		 */
		long requested(long nowNanos, long leftNanos) {
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

		/** Return whether the slice has ended and the next one has not begun. */
		boolean isPausing() {
			return this.afterPause && !this.running;
		}

		/** Note that another JVM owns the lock, or that none waits for it. */
		void reset() {
			this.running = false;
			this.afterPause = false;
			this.lengthNanos = SHORTEST_NANOS;
		}

	}

}
