package io.github.lockboot.leader;

/**
 * Event of an application whose instance was elected as the leader of a role. The lease
 * may have ended before a listener receives the event: ask
 * {@link LeaderElection#isLeader()} before an action.
 *
 * @param leadership the leadership that begins
 * @since 1.0.0
 */
public record LeaderElected(Leadership leadership) {

	/**
	 * Return the role.
	 */
	public String role() {
		return this.leadership.role();
	}

}
