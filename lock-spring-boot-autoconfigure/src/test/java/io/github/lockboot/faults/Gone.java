package io.github.lockboot.faults;

import java.util.Set;

/**
 * A time after which the store has none of the leases any more that it gave out before,
 * so that none can be renewed.
 *
 * @param locks the locks, or their families
 * @param fromNanos before they were gone
 * @param toNanos after they were gone
 */
record Gone(Set<String> locks, long fromNanos, long toNanos) {

	Gone {
		locks = Set.copyOf(locks);
	}

	/**
	 * Whether a hold from before that was valid for longer than a lease after that.
	 * @param tenancy the hold
	 * @return true if its holder should have been told
	 */
	boolean isOutlivedBy(Tenancy tenancy) {
		return LockNames.contains(this.locks, tenancy.acquisition().lock()) && tenancy.sinceNanos() < this.fromNanos
				&& tenancy.untilNanos() > this.toNanos + FaultRun.LEASE.toNanos();
	}

}
