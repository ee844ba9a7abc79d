package io.github.lockboot.faults;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.NoRerun;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Injects each kind of fault once into an ensemble of ZooKeeper, in random order, as far
 * as there is time.
 */
@NoRerun
@Tag("long")
class EnsembleFaultsTests {

	@Test
	void locksInZooKeeperKeepTheirPromisesWhateverBreaks() {
		try (Topology topology = new EnsembleTopology()) {
			RunResult result = new FaultRun(topology, topology.faults(), Seed.choose()).once(Duration.ofSeconds(15));
			System.out.println("ZooKeeper " + result);
			assertThat(result.violations()).isEmpty();
		}
	}

}
