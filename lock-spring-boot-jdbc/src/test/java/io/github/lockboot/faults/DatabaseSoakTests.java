package io.github.lockboot.faults;

import java.util.Locale;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.DatabaseServer;

/**
 * Injects faults into a database for a long time. Runs in the profile {@code soak} only.
 */
@Tag("soak")
class DatabaseSoakTests {

	@Test
	void locksInADatabaseKeepTheirPromisesForALongTime() {
		String database = System.getProperty(SoakTests.TOPOLOGY, "postgresql").toUpperCase(Locale.ROOT);
		SoakTests.assertPromises(() -> DatabaseTopology.of(DatabaseServer.Kind.valueOf(database)).orElseThrow());
	}

}
