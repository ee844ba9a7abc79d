package io.github.lockboot.benchmarks.scenario.server;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.benchmarks.peer.Exclusion;
import io.github.lockboot.benchmarks.peer.Peer;
import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.fixture.EnsembleServer;
import io.github.lockboot.fixture.TestEnsemble;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Each peer really locks: otherwise its benchmarks would be worthless.
 */
class ServerPeersTests {

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "DATABASE_(?!BARE).*")
	void anotherInstanceAcquiresTheLockOfADatabaseOnlyAfterItsRelease(PeerKind kind) throws Exception {
		Exclusion.check(() -> kind.open(Database.POSTGRESQL.address()), kind.name(), () -> {
			long before = Database.POSTGRESQL.count();
			return () -> Database.POSTGRESQL.count() > before + 5;
		});
	}

	@Test
	void theBareStatementsLockARow() {
		try (Peer bare = PeerKind.DATABASE_BARE.open(Database.POSTGRESQL.address())) {
			bare.acquire("bare").run();
			Runnable release = bare.acquire("bare");
			assertThatIllegalStateException().isThrownBy(() -> bare.acquire("bare"));
			release.run();
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "ZOOKEEPER_.*")
	void anotherInstanceAcquiresTheLockInZooKeeperOnlyAfterItsRelease(PeerKind kind) throws Exception {
		EnsembleServer server = TestEnsemble.single().servers().get(0);
		Exclusion.check(() -> kind.open(server.address()), kind.name(), () -> () -> server.query("wchp")
			.lines()
			.anyMatch((path) -> path.contains("/lock:" + kind.name() + "/") || path.contains("/" + kind.name() + "/")));
	}

}
