package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests of the suite itself: it has to detect locks that are broken on purpose within a
 * minute. Runs in the profile {@code mutants} only.
 */
@Tag("mutants")
class MutantsTests {

	private static final Duration MINUTE = Duration.ofSeconds(50);

	@ParameterizedTest
	@CsvSource({ "SKIPS_RENEWALS, false, leases are valid at once|A lease ends after its key expires",
			"HIDES_LOSSES, true, was not notified of a lost lease",
			"GRANTS_HELD_LOCKS, false, leases are valid at once|A lease ends after its key expires",
			"LOSES_RELEASES, false, A lock is handed over slowly", "GRANTS_THE_PREVIOUS_TOKEN, true, A token" })
	void aBrokenStoreIsDetected(Flaw flaw, boolean clock, String violation) {
		try (@Nullable
		Topology topology = clock ? StandaloneTopology.withAdjustableClock().orElse(null) : new StandaloneTopology()) {
			Assumptions.assumeTrue(topology != null, "The clock of Redis can't be set on this machine");
			assertDetected(flaw.name(), topology, Pattern.compile(violation),
					List.of("-D" + Flaw.PROPERTY + "=" + flaw));
		}
	}

	/**
	 * Check that the suite detects a broken lock.
	 * @param name name of the defect
	 * @param topology the servers
	 * @param violation what the suite has to report
	 * @param options options of a JVM with the defect
	 */
	static void assertDetected(String name, Topology topology, Pattern violation, List<String> options) {
		FaultRun run = new FaultRun(topology, topology.faults(), Seed.choose(), options);
		long start = System.nanoTime();
		assertThatThrownBy(() -> {
			RunResult result = run.untilViolated(violation, MINUTE);
			System.out.println(result);
			assertThat(result.violations()).isEmpty();
		}).isInstanceOf(AssertionError.class).hasMessageFindingMatch(violation.pattern());
		System.out.println("===== " + name + " was detected after "
				+ Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s =====");
	}

}
