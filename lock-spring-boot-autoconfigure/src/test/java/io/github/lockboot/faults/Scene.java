package io.github.lockboot.faults;

import java.util.List;
import java.util.Random;

import io.github.lockboot.fixture.RedisServer;

/**
 * What a fault can harm.
 *
 * @param topology the servers of the locks
 * @param crew the workers
 * @param random what chooses the victim
 */
record Scene(Topology topology, Crew crew, Random random) {

	RedisServer master() {
		return this.topology.master();
	}

	/**
	 * Freeze a worker that owns a lock at this moment.
	 * @return the worker
	 */
	Crew.Member freezeHolder() {
		String key = key();
		return this.crew.freezeOne((member) -> member.is(String.valueOf(master().command("GET", key))));
	}

	/**
	 * Freeze a worker that waits in the queue of a lock at this moment.
	 * @return the worker
	 */
	Crew.Member freezeWaiter() {
		String queue = key() + ":q";
		return this.crew.freezeOne((member) -> master().command("LRANGE", queue, "0", "-1") instanceof List<?> owners
				&& owners.stream().anyMatch((owner) -> member.is(String.valueOf(owner))));
	}

	private String key() {
		return "lock:{" + FaultRun.LOCKS.get(this.random.nextInt(FaultRun.LOCKS.size())) + "}";
	}

}
