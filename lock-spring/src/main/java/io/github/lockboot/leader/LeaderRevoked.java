package io.github.lockboot.leader;

/**
 * Event of an application whose instance no longer leads a role: the instance resigns, or
 * has lost the lease. An instance that resigns releases the lock after the listeners have
 * returned; after a loss another instance may lead already. The end of an election
 * interrupts a listener that is still working.
 *
 * @param leadership the leadership that has ended
 * @since 1.0.0
 */
public record LeaderRevoked(Leadership leadership) {

	/**
	 * Return the role.
	 */
	public String role() {
		return this.leadership.role();
	}

}
