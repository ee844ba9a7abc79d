package io.github.lockboot.faults;

import java.nio.file.Path;
import java.time.Duration;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * What the faults are good for: locks that are broken on purpose have to be found within
 * a minute. Runs in the profile {@code mutants} only.
 */
@Tag("mutants")
class MutantsTests {

	private static final Duration MINUTE = Duration.ofSeconds(50);

	@ParameterizedTest
	@EnumSource
	void aBrokenLockIsFound(Mutant mutant, @TempDir Path folder) {
		try (@Nullable
		Topology topology = mutant.topology().orElse(null)) {
			Assumptions.assumeTrue(topology != null, "no clock of Redis can be set here");
			FaultRun run = new FaultRun(topology, topology.faults(), Seed.choose(), mutant.options(folder));
			long start = System.nanoTime();
			assertThatThrownBy(() -> {
				Figures figures = run.untilViolated(mutant.finding(), MINUTE);
				System.out.println(figures);
				assertThat(figures.violations()).isEmpty();
			}).isInstanceOf(AssertionError.class).hasMessageFindingMatch(mutant.finding().pattern());
			System.out.println("===== " + mutant + " was found after "
					+ Duration.ofNanos(System.nanoTime() - start).toSeconds() + " s =====");
		}
	}

}
