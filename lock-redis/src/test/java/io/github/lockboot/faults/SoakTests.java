package io.github.lockboot.faults;

import java.time.Duration;
import java.util.function.Supplier;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Injects faults for a long time, also in pairs. Runs in the profile {@code soak} only.
 */
@Tag("soak")
class SoakTests {

	/** System property that sets how long faults are injected. */
	private static final String DURATION = "lockboot.faults.duration";

	/**
	 * System property that sets the servers: standalone or cluster.
	 */
	static final String TOPOLOGY = "lockboot.faults.topology";

	@Test
	void locksKeepTheirPromisesWhateverBreaksForALongTime() {
		assertPromises(() -> topology(System.getProperty(TOPOLOGY, "standalone")));
	}

	static void assertPromises(Supplier<Topology> servers) {
		Duration duration = DurationStyle.detectAndParse(System.getProperty(DURATION, "10m"));
		try (Topology topology = servers.get()) {
			RunResult result = new FaultRun(topology, topology.faults(), Seed.choose()).soak(duration);
			System.out.println(result);
			assertThat(result.violations()).isEmpty();
		}
	}

	private static Topology topology(String name) {
		return switch (name) {
			case "standalone" -> new StandaloneTopology();
			case "cluster" -> new ClusterTopology();
			default ->
				throw new IllegalArgumentException("-D" + TOPOLOGY + " must be standalone or cluster, but is " + name);
		};
	}

}
