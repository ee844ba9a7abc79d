package io.github.lockboot.faults;

/**
 * A hold of the history, with the bounds of the time in which it was valid.
 *
 * @param requestedNanos before the lock was requested
 * @param earliestNanos it became valid at this time or later
 * @param startedNanos it became valid at this time or earlier
 * @param untilNanos the lease was valid until this time at least: the release, or the
 * promised end of the lease if it was never released
 */
record Hold(Entry.Acquisition acquisition, long requestedNanos, long earliestNanos, long startedNanos,
		long untilNanos) {

	long token() {
		return this.acquisition.token();
	}

	/** Whether this is the outermost acquisition, not a nested one. */
	boolean isOuter() {
		return this.acquisition.isOuter();
	}

	/**
	 * Whether this hold certainly became valid before another one.
	 * @return false if it did not, or if the order is unknown
	 */
	boolean isBefore(Hold other) {
		return this.startedNanos < other.earliestNanos;
	}

	/**
	 * Whether mutual exclusion was promised for any time of this hold.
	 * @return false if its lease was lost before it started
	 */
	boolean isPromised() {
		return this.untilNanos >= this.startedNanos;
	}

	/**
	 * Return this hold with an earlier end. Its start becomes uncertain too: its JVM may
	 * have passed on a lease that it had before, from the server that lost it, or that a
	 * former master has renewed since.
	 * @param nanos the time when the lease was lost
	 * @param twoMasters whether a former master may have granted leases meanwhile
	 */
	Hold lostAt(long nanos, boolean twoMasters) {
		long lease = this.requestedNanos - FaultRun.LEASE.toNanos();
		long earliest = twoMasters ? Math.min(lease, nanos) : lease;
		return new Hold(this.acquisition, this.requestedNanos, earliest, this.startedNanos,
				Math.min(this.untilNanos, nanos));
	}

	@Override
	public String toString() {
		return "[" + this.acquisition + ": requested " + this.requestedNanos + ", valid from " + this.earliestNanos
				+ ".." + this.startedNanos + " to " + this.untilNanos + "]";
	}

}
