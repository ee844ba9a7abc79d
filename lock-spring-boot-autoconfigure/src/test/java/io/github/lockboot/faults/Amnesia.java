package io.github.lockboot.faults;

import java.util.Set;

/**
 * A time in which the store may have forgotten leases, or in which two servers have given
 * them out: nothing that was asked for before its end excludes anybody after its
 * beginning.
 *
 * @param locks the locks that may have been forgotten, or their families
 * @param fromNanos before the data were lost
 * @param toNanos when all have noticed
 */
record Amnesia(Set<String> locks, long fromNanos, long toNanos) {

	/**
	 * A time that ends a lease after the servers are well again: so long a JVM may pass
	 * on a lease that is forgotten.
	 * @param locks the locks that may have been forgotten
	 * @param fromNanos before the data were lost
	 * @return from that moment until all will have noticed
	 */
	static Amnesia since(Set<String> locks, long fromNanos) {
		return new Amnesia(locks, fromNanos, System.nanoTime() + FaultRun.LEASE.toNanos());
	}

	Amnesia {
		locks = Set.copyOf(locks);
	}

	/**
	 * Whether a lease that was asked for may be forgotten by a moment.
	 * @param lock name of the lock
	 * @param askedNanos when the lease was asked for
	 * @param nanos the moment
	 * @return true if so
	 */
	boolean covers(String lock, long askedNanos, long nanos) {
		return LockNames.contains(this.locks, lock) && askedNanos < this.toNanos && nanos > this.fromNanos;
	}

	/**
	 * Take back what the store has forgotten.
	 * @param tenancy a hold
	 * @return the hold as far as it is promised
	 */
	Tenancy applyTo(Tenancy tenancy) {
		boolean forgotten = covers(tenancy.acquisition().lock(), tenancy.askedNanos(), Long.MAX_VALUE);
		return forgotten ? tenancy.forgottenAt(this.fromNanos) : tenancy;
	}

}
