package io.github.lockboot.faults;

import java.util.Set;

/**
 * A time in which no server could reply, so that no lease was renewed.
 *
 * @param locks the locks of those servers, or their families
 * @param fromNanos after they had stopped replying
 * @param toNanos before they could reply again
 */
record OutageWindow(Set<String> locks, long fromNanos, long toNanos) {

	OutageWindow {
		locks = Set.copyOf(locks);
	}

	/**
	 * Whether every lease has ended by a given time within this window.
	 * @param lock name of the lock
	 * @param nanos the time
	 * @return true if nobody can hold the lock then
	 */
	boolean outlasts(String lock, long nanos) {
		return LockNames.contains(this.locks, lock) && nanos <= this.toNanos
				&& nanos > this.fromNanos + FaultRun.LEASE.toNanos();
	}

}
