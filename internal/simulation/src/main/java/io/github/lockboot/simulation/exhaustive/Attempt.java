package io.github.lockboot.simulation.exhaustive;

/**
 * What a JVM knows of one of its attempts.
 *
 * @param deadline until when it holds the lock, in ms
 * @param token its fencing token while it holds the lock
 * @param since when it has queued by the clock of Redis, in us; 0 if that is unknown
 * @param repeats how often it may still repeat a call
 * @param excused whether somebody else may hold the lock: an operator has released it, or
 * a fail-over has lost it
 * @param shared whether it shares a lock that it has acquired exclusively
 */
record Attempt(Phase phase, long deadline, long token, long since, int repeats, boolean excused, boolean shared) {

	enum Phase {

		NEW, REQUESTED, HELD, ENDED

	}

	Attempt in(Phase phase) {
		return new Attempt(phase, this.deadline, this.token, this.since, this.repeats, this.excused, this.shared);
	}

	Attempt holding(long token, long deadline) {
		return new Attempt(Phase.HELD, deadline, token, this.since, this.repeats, false, this.shared);
	}

	Attempt until(long deadline) {
		return new Attempt(this.phase, Math.max(deadline, this.deadline), this.token, this.since, this.repeats,
				this.excused, this.shared);
	}

	Attempt queuedSince(long since) {
		return new Attempt(this.phase, this.deadline, this.token, (this.since == 0) ? since : this.since, this.repeats,
				this.excused, this.shared);
	}

	Attempt repeated() {
		return new Attempt(this.phase, this.deadline, this.token, this.since, this.repeats - 1, this.excused,
				this.shared);
	}

	Attempt excuse() {
		return new Attempt(this.phase, this.deadline, this.token, this.since, this.repeats, true, this.shared);
	}

	Attempt share() {
		return new Attempt(this.phase, this.deadline, this.token, this.since, this.repeats, this.excused, true);
	}

	boolean isHolder(long now) {
		return this.phase == Phase.HELD && now < this.deadline;
	}

	boolean isPending() {
		return this.phase == Phase.REQUESTED;
	}

}
