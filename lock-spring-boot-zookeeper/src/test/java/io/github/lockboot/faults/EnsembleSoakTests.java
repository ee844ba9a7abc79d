package io.github.lockboot.faults;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Injects faults into an ensemble for a long time. Runs in the profile {@code soak} only.
 */
@Tag("soak")
class EnsembleSoakTests {

	@Test
	void locksInZooKeeperKeepTheirPromisesForALongTime() {
		SoakTests.assertPromises(EnsembleTopology::new);
	}

}
