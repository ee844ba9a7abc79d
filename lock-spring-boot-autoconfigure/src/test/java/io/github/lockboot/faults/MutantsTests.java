package io.github.lockboot.faults;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
	@EnumSource
	void aBrokenLockIsDetected(Mutant mutant, @TempDir Path folder) {
		try (@Nullable
		Topology topology = mutant.topology().orElse(null)) {
			Assumptions.assumeTrue(topology != null, "The clock of Redis can't be set on this machine");
			assertDetected(mutant.name(), topology, mutant.violation(), mutant.options(folder));
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
