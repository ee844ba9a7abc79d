package io.github.lockboot.faults;

import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.lockboot.fixture.DatabaseServer;
import io.github.lockboot.fixture.NoRerun;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Injects each kind of fault once into each database, in random order, as far as there is
 * time.
 */
@NoRerun
@Tag("long")
class DatabaseFaultsTests {

	@ParameterizedTest
	@EnumSource
	void locksInADatabaseKeepTheirPromisesWhateverBreaks(DatabaseServer.Kind database) {
		try (@Nullable
		Topology topology = DatabaseTopology.of(database).orElse(null)) {
			Assumptions.assumeTrue(topology != null, () -> database + " does not start here");
			RunResult result = new FaultRun(topology, topology.faults(), Seed.choose()).once(Duration.ofSeconds(10));
			System.out.println(database + " " + result);
			assertThat(result.violations()).isEmpty();
		}
	}

}
