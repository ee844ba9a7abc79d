package io.github.lockboot.faults;

/**
 * A time in which the store may have forgotten leases: nothing that was asked for before
 * its end excludes anybody after its beginning.
 *
 * @param fromNanos before the data were lost
 * @param toNanos when the store served again
 */
record Amnesia(long fromNanos, long toNanos) {

	/**
	 * Take back what the store has forgotten.
	 * @param tenancy a hold
	 * @return the hold as far as it is promised
	 */
	Tenancy applyTo(Tenancy tenancy) {
		return (tenancy.askedNanos() < this.toNanos) ? tenancy.notAfter(this.fromNanos) : tenancy;
	}

}
