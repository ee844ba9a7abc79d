package io.github.lockboot.faults;

import java.util.EnumSet;
import java.util.List;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tests of the suite itself: it has to detect locks in ZooKeeper that are broken on
 * purpose. Runs in the profile {@code mutants} only.
 */
@Tag("mutants")
class EnsembleMutantsTests {

	@Test
	void skippedHeartbeatsAreDetected() {
		try (Topology topology = new EnsembleTopology(EnumSet.of(Fault.SERVER_FROZEN, Fault.QUORUM_FROZEN))) {
			assertDetected(topology, Flaw.SKIPS_RENEWALS, "was not notified of a lost lease|leases are valid at once");
		}
	}

	@Test
	void grantsOfHeldLocksAreDetected() {
		try (Topology topology = new EnsembleTopology()) {
			assertDetected(topology, Flaw.GRANTS_HELD_LOCKS, "leases are valid at once");
		}
	}

	private static void assertDetected(Topology topology, Flaw flaw, String violation) {
		MutantsTests.assertDetected("ZOOKEEPER_" + flaw, topology, Pattern.compile(violation),
				List.of("-D" + Flaw.PROPERTY + "=" + flaw));
	}

}
