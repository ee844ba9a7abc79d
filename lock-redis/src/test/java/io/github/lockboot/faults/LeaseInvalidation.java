package io.github.lockboot.faults;

import java.util.Set;

/**
 * A time after which the store has none of the leases that it granted before, so that
 * none can be renewed.
 *
 * @param locks the locks, or their families
 * @param fromNanos before the leases became invalid
 * @param toNanos after the leases became invalid
 */
record LeaseInvalidation(Set<String> locks, long fromNanos, long toNanos) {

	LeaseInvalidation {
		locks = Set.copyOf(locks);
	}

	/**
	 * Whether a hold that started before was considered valid for longer than a lease
	 * afterwards.
	 * @param hold the hold
	 * @return true if its holder should have been notified of the loss
	 */
	boolean isOutlivedBy(Hold hold) {
		return LockNames.contains(this.locks, hold.acquisition().lock()) && hold.startedNanos() < this.fromNanos
				&& hold.untilNanos() > this.toNanos + FaultRun.LEASE.toNanos();
	}

}
