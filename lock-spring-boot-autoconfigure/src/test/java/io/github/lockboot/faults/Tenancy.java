package io.github.lockboot.faults;

/**
 * One hold of the history, from its first moment known to be valid to its last.
 *
 * @param entrance which hold
 * @param askedNanos before the lock was asked for
 * @param beforeNanos its first valid moment is not before this
 * @param sinceNanos its first valid moment is not after this
 * @param untilNanos the lease was valid until this moment at least: the release, or for a
 * hold that was never released the promised end of the lease
 */
record Tenancy(Entry.Entrance entrance, long askedNanos, long beforeNanos, long sinceNanos, long untilNanos) {

	long token() {
		return this.entrance.token();
	}

	/**
	 * Whether this is a lease, and not an entrance of one who holds it already.
	 * @return true for the first entrance
	 */
	boolean isOuter() {
		return this.entrance.isOuter();
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
		return new Tenancy(this.entrance, this.askedNanos, earliest, this.sinceNanos, Math.min(this.untilNanos, nanos));
	}

	@Override
	public String toString() {
		return "[" + this.entrance + ": asked " + this.askedNanos + ", valid from " + this.beforeNanos + ".."
				+ this.sinceNanos + " to " + this.untilNanos + "]";
	}

}
