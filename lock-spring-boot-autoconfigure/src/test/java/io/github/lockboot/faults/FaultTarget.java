package io.github.lockboot.faults;

import java.util.List;

import io.github.lockboot.fixture.RedisServer;

/**
 * The servers and processes that a fault can affect.
 *
 * @param topology the servers of the locks
 * @param workers the workers
 * @param lock the lock whose servers are affected
 * @param history the history of the run
 */
record FaultTarget(Topology topology, Workers workers, String lock, History history) {

	/**
	 * Return the key of a lock, whose value is the owner.
	 * @param lock name of the lock
	 * @return the key
	 */
	static String key(String lock) {
		return "lock:{" + lock + "}";
	}

	String key() {
		return key(this.lock);
	}

	RedisServer master() {
		return this.topology.masterOf(key());
	}

	RedisServer replica() {
		return servers().stream().filter((server) -> server != master()).findFirst().orElseThrow();
	}

	List<RedisServer> servers() {
		return this.topology.serversWith(key());
	}

	/**
	 * Let a worker hold a lock for longer than a lease.
	 * @return the worker and its lock
	 */
	Workers.LongHold holder() {
		return this.workers.startLongHold();
	}

	/**
	 * Freeze a worker that waits in the queue of a lock.
	 * @return the worker
	 */
	Workers.WorkerProcess freezeWaiter() {
		String held = key(holder().lock());
		RedisServer master = this.topology.masterOf(held);
		return this.workers
			.freezeOne((worker) -> master.command("LRANGE", held + ":q", "0", "-1") instanceof List<?> owners
					&& owners.stream().anyMatch((owner) -> worker.is(String.valueOf(owner))));
	}

}
