package io.github.lockboot.faults;

import java.util.List;

import io.github.lockboot.fixture.RedisServer;

/**
 * What a fault can harm.
 *
 * @param topology the servers of the locks
 * @param crew the workers
 * @param lock the lock whose servers are the victims
 */
record Scene(Topology topology, Crew crew, String lock) {

	/**
	 * Return the key of a lock that names its owner.
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
		return keepers().stream().filter((server) -> server != master()).findFirst().orElseThrow();
	}

	List<RedisServer> keepers() {
		return this.topology.keepersOf(key());
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
		String held = key(holder().lock());
		RedisServer master = this.topology.masterOf(held);
		return this.crew
			.freezeOne((member) -> master.command("LRANGE", held + ":q", "0", "-1") instanceof List<?> owners
					&& owners.stream().anyMatch((owner) -> member.is(String.valueOf(owner))));
	}

}
