package io.github.lockboot.faults;

import java.time.Duration;
import java.util.Set;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.NoRerun;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Injects each kind of fault once, in random order, as far as there is time. Other
 * deployments than a single server have only the faults that are specific to them.
 */
@NoRerun
@Tag("long")
class FaultsTests {

	@Test
	void locksKeepTheirPromisesWhateverBreaks() {
		try (Topology topology = new StandaloneTopology()) {
			assertPromises(topology, topology.faults(), Duration.ofSeconds(18));
		}
	}

	@Test
	void locksKeepTheirPromisesWhenAClusterIsChanging() {
		try (Topology topology = new ClusterTopology()) {
			assertPromises(topology, topology.ownFaults(), Duration.ofSeconds(8));
		}
	}

	private static void assertPromises(Topology topology, Set<Fault> faults, Duration atMost) {
		RunResult result = new FaultRun(topology, faults, Seed.choose()).once(atMost);
		System.out.println(result);
		assertThat(result.violations()).isEmpty();
	}

}
