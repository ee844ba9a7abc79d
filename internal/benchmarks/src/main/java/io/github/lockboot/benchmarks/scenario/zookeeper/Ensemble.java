package io.github.lockboot.benchmarks.scenario.zookeeper;

import io.github.lockboot.benchmarks.peer.ZooKeeperKind;
import io.github.lockboot.fixture.TestEnsemble;

/**
 * An ensemble of three servers, which is started at its first use and runs until this JVM
 * ends.
 */
final class Ensemble {

	private Ensemble() {
	}

	/** Return the address. */
	static String address() {
		return ZooKeeperKind.SCHEME + TestEnsemble.shared().connectString();
	}

	/** Return how many requests the servers have received from all clients. */
	static long requests() {
		return TestEnsemble.shared()
			.servers()
			.stream()
			.mapToLong((server) -> server.figure("zk_packets_received"))
			.sum();
	}

	/**
	 * Return how many requests the servers have received since an earlier count, without
	 * those for the count itself.
	 */
	static long requestsSince(long before) {
		return requests() - before - TestEnsemble.shared().servers().size();
	}

}
