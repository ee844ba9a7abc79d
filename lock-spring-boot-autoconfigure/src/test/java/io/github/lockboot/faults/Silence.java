package io.github.lockboot.faults;

import java.util.Set;

/**
 * A time in which no server could answer, so that no lease was renewed.
 *
 * @param locks the locks of those servers, or their families
 * @param fromNanos after they had fallen silent
 * @param toNanos before they could answer again
 */
record Silence(Set<String> locks, long fromNanos, long toNanos) {

	Silence {
		locks = Set.copyOf(locks);
	}

	/**
	 * Whether a lease would have ended within this time, by a moment in it.
	 * @param lock name of the lock
	 * @param nanos the moment
	 * @return true if nobody can hold the lock then
	 */
	boolean outlasts(String lock, long nanos) {
		return LockNames.contains(this.locks, lock) && nanos <= this.toNanos
				&& nanos > this.fromNanos + FaultRun.LEASE.toNanos();
	}

}
