package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.fixture.TestEnsemble;

/**
 * An ensemble of three servers.
 */
enum Ensemble implements Server {

	/** The only one. */
	ZOOKEEPER;

	@Override
	public String id() {
		return "zookeeper";
	}

	@Override
	public String label() {
		return "ZooKeeper";
	}

	@Override
	public String address() {
		return TestEnsemble.shared().connectString();
	}

	@Override
	public List<PeerKind> peers() {
		return List.of(PeerKind.ZOOKEEPER_OURS, PeerKind.ZOOKEEPER_CURATOR, PeerKind.ZOOKEEPER_INTEGRATION);
	}

	@Override
	public List<PeerKind> waitingPeers() {
		return peers();
	}

	@Override
	public String unit() {
		return "requests";
	}

	@Override
	public long count() {
		return TestEnsemble.shared()
			.servers()
			.stream()
			.mapToLong((server) -> server.figure("zk_packets_received"))
			.sum();
	}

	@Override
	public long countSince(long before) {
		return count() - before - TestEnsemble.shared().servers().size();
	}

}
