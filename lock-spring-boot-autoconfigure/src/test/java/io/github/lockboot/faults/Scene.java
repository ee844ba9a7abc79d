package io.github.lockboot.faults;

import java.util.List;

import io.github.lockboot.fixture.RedisServer;

/**
 * What a fault can harm.
 *
 * @param topology the servers of the locks
 * @param crew the workers
 */
record Scene(Topology topology, Crew crew) {

	RedisServer master() {
		return this.topology.master();
	}

	/**
	 * Let a worker be in the midst of its work, where it stays for longer than a lease.
	 * @return the worker and its lock
	 */
	Crew.Lingering holder() {
		return this.crew.letLinger();
	}

	/**
	 * Freeze a worker that waits in the queue of a lock at this moment.
	 * @return the worker
	 */
	Crew.Member freezeWaiter() {
		String queue = "lock:{" + holder().lock() + "}:q";
		return this.crew.freezeOne((member) -> master().command("LRANGE", queue, "0", "-1") instanceof List<?> owners
				&& owners.stream().anyMatch((owner) -> member.is(String.valueOf(owner))));
	}

}
