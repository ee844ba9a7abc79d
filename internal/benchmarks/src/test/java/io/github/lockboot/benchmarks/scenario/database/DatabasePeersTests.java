package io.github.lockboot.benchmarks.scenario.database;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.benchmarks.peer.DatabaseKind;
import io.github.lockboot.benchmarks.peer.Exclusion;
import io.github.lockboot.benchmarks.peer.Peer;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Each peer really locks: otherwise its benchmarks would be worthless.
 */
class DatabasePeersTests {

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BARE")
	void anotherInstanceAcquiresTheLockOnlyAfterItsRelease(DatabaseKind kind) throws Exception {
		Exclusion.check(() -> kind.open(Database.POSTGRESQL.url()), kind.name(), () -> {
			long before = Database.POSTGRESQL.statements();
			return () -> Database.POSTGRESQL.statements() > before + 5;
		});
	}

	@Test
	void theBareStatementsLockARow() {
		try (Peer bare = DatabaseKind.BARE.open(Database.POSTGRESQL.url())) {
			bare.acquire("bare").run();
			Runnable release = bare.acquire("bare");
			assertThatIllegalStateException().isThrownBy(() -> bare.acquire("bare"));
			release.run();
		}
	}

}
