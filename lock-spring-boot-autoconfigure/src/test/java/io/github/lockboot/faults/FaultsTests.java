package io.github.lockboot.faults;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each kind of fault once, in an order of its own each time: as much as fits into half a
 * minute.
 */
class FaultsTests {

	@Test
	void locksKeepTheirPromisesWhateverBreaks() {
		try (Topology topology = new StandaloneTopology()) {
			Figures figures = new FaultRun(topology, Seed.choose()).once(Duration.ofSeconds(28));
			System.out.println(figures);
			assertThat(figures.violations()).isEmpty();
		}
	}

}
