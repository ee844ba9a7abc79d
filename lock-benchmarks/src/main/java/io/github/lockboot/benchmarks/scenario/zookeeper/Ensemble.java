package io.github.lockboot.benchmarks.scenario.zookeeper;

import io.github.lockboot.benchmarks.peer.ZooKeeperKind;
import io.github.lockboot.fixture.TestEnsemble;

/**
 * An ensemble of three servers. It is started at its first use, and runs until this JVM
 * ends.
 */
final class Ensemble {

	private Ensemble() {
	}

	/** Return where it is. */
	static String address() {
		return ZooKeeperKind.SCHEME + TestEnsemble.shared().connectString();
	}

	/** Return how many requests the servers have got from all clients. */
	static long requests() {
		return TestEnsemble.shared()
			.servers()
			.stream()
			.mapToLong((server) -> server.figure("zk_packets_received"))
			.sum();
	}

	/** Return how many requests the servers have got since, without that for a figure. */
	static long requestsSince(long before) {
		return requests() - before - TestEnsemble.shared().servers().size();
	}

}
