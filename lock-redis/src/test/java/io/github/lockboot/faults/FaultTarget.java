package io.github.lockboot.faults;

import java.util.Comparator;
import java.util.List;

import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.TestServer;

/**
 * The servers and processes that a fault can affect.
 *
 * @param lock the lock whose servers are affected
 */
record FaultTarget(Topology topology, Workers workers, String lock) {

	RedisTopology redis() {
		return (RedisTopology) this.topology;
	}

	RedisServer master() {
		return redis().masterOf(this.lock);
	}

	List<? extends TestServer> servers() {
		return this.topology.serversWith(this.lock);
	}

	/** Return so many servers that the others are no quorum, with the master. */
	List<? extends TestServer> majority() {
		TestServer master = this.topology.masterOf(this.lock);
		List<? extends TestServer> servers = servers();
		return servers.stream()
			.sorted(Comparator.comparing((server) -> server != master))
			.limit(servers.size() / 2 + 1)
			.toList();
	}

	/** Let a worker hold a lock for longer than a lease. */
	Workers.LongHold holder() {
		return this.workers.startLongHold();
	}

	/** Freeze a worker that waits for a lock. */
	Workers.WorkerProcess freezeWaiter() {
		String held = holder().lock();
		return this.workers.freezeOne((worker) -> this.topology.mayWait(worker, held));
	}

}
