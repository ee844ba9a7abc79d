package io.github.lockboot.benchmarks.scenario.zookeeper;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.benchmarks.peer.Exclusion;
import io.github.lockboot.benchmarks.peer.ZooKeeperKind;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.TestEnsemble;

/**
 * Each peer really locks: otherwise its benchmarks would be worthless.
 */
class ZooKeeperPeersTests {

	@ParameterizedTest
	@EnumSource
	void anotherInstanceAcquiresTheLockOnlyAfterItsRelease(ZooKeeperKind kind) throws Exception {
		EnsembleServer server = TestEnsemble.single().servers().get(0);
		Exclusion.check(() -> kind.open(ZooKeeperKind.SCHEME + server.address()), kind.name(), () -> () -> server
			.query("wchp")
			.lines()
			.anyMatch((path) -> path.contains("/lock:" + kind.name() + "/") || path.contains("/" + kind.name() + "/")));
	}

}
