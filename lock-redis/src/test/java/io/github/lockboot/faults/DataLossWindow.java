package io.github.lockboot.faults;

import java.util.Set;

/**
 * A time in which the store may have lost leases, or in which two servers may have
 * granted them. A lease that was requested before its end excludes nobody after its
 * start.
 *
 * @param locks the locks whose leases may be lost, or their families
 * @param fromNanos before the data were lost
 * @param toNanos when all holders have noticed
 * @param twoMasters whether a former master may have granted and renewed leases meanwhile
 */
record DataLossWindow(Set<String> locks, long fromNanos, long toNanos, boolean twoMasters) {

	/**
	 * Return a window that ends one lease time after the servers are healthy again. Until
	 * then a JVM may still pass on a lease that is lost.
	 * @param locks the locks whose leases may be lost
	 * @param fromNanos before the data were lost
	 * @param twoMasters whether a former master may have granted leases meanwhile
	 * @return the window
	 */
	static DataLossWindow since(Set<String> locks, long fromNanos, boolean twoMasters) {
		return new DataLossWindow(locks, fromNanos, System.nanoTime() + FaultRun.LEASE.toNanos(), twoMasters);
	}

	DataLossWindow {
		locks = Set.copyOf(locks);
	}

	/**
	 * Whether a lease may be lost at a given time.
	 * @param lock name of the lock
	 * @param requestedNanos when the lease was requested
	 * @param nanos the time
	 * @return true if so
	 */
	boolean covers(String lock, long requestedNanos, long nanos) {
		return LockNames.contains(this.locks, lock) && requestedNanos < this.toNanos && nanos > this.fromNanos;
	}

	/**
	 * Shorten a hold whose lease may be lost.
	 * @param hold a hold
	 * @return the hold, for as long as mutual exclusion is promised
	 */
	Hold applyTo(Hold hold) {
		boolean lost = covers(hold.acquisition().lock(), hold.requestedNanos(), Long.MAX_VALUE);
		return lost ? hold.lostAt(this.fromNanos, this.twoMasters) : hold;
	}

}
