package io.github.lockboot.faults;

import java.util.Set;

/**
 * A time in which the store may have forgotten leases: nothing that was asked for before
 * its end excludes anybody after its beginning.
 *
 * @param locks the locks that may have been forgotten
 * @param fromNanos before the data were lost
 * @param toNanos when the store served again
 */
record Amnesia(Set<String> locks, long fromNanos, long toNanos) {

	Amnesia {
		locks = Set.copyOf(locks);
	}

	/**
	 * Take back what the store has forgotten.
	 * @param tenancy a hold
	 * @return the hold as far as it is promised
	 */
	Tenancy applyTo(Tenancy tenancy) {
		boolean forgotten = this.locks.contains(tenancy.entrance().lock()) && tenancy.askedNanos() < this.toNanos;
		return forgotten ? tenancy.notAfter(this.fromNanos) : tenancy;
	}

}
