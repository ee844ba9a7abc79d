package io.github.lockboot.faults;

/**
 * One hold of the history, from its first moment known to be valid to its last.
 *
 * @param acquisition which hold
 * @param askedNanos before the lock was asked for
 * @param beforeNanos its first valid moment is not before this
 * @param sinceNanos its first valid moment is not after this
 * @param untilNanos the lease was valid until this moment at least: the release, or for a
 * hold that was never released the promised end of the lease
 */
record Tenancy(Entry.Acquisition acquisition, long askedNanos, long beforeNanos, long sinceNanos, long untilNanos) {

	long token() {
		return this.acquisition.token();
	}

	/**
	 * Whether this is a lease, and not an acquisition of one who holds it already.
	 * @return true for the first acquisition
	 */
	boolean isOuter() {
		return this.acquisition.isOuter();
	}

	/**
	 * Whether this hold was valid before the other one was, beyond doubt.
	 * @param other the other hold
	 * @return false if the two can't be ordered
	 */
	boolean isBefore(Tenancy other) {
		return this.sinceNanos < other.beforeNanos;
	}

	/**
	 * Whether anything of this hold was promised.
	 * @return false if it was forgotten before it began
	 */
	boolean isPromised() {
		return this.untilNanos >= this.sinceNanos;
	}

	/**
	 * The same hold, but valid until an earlier moment. While others may hold the lock
	 * too, nothing tells when it became valid: its JVM may have passed on a lease that it
	 * had before, from a server whose clock it has followed since.
	 * @param nanos the moment
	 * @return a tenancy
	 */
	Tenancy forgottenAt(long nanos) {
		long earliest = this.askedNanos - FaultRun.LEASE.toNanos();
		return new Tenancy(this.acquisition, this.askedNanos, earliest, this.sinceNanos,
				Math.min(this.untilNanos, nanos));
	}

	@Override
	public String toString() {
		return "[" + this.acquisition + ": asked " + this.askedNanos + ", valid from " + this.beforeNanos + ".."
				+ this.sinceNanos + " to " + this.untilNanos + "]";
	}

}
