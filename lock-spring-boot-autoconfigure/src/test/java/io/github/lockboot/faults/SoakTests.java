package io.github.lockboot.faults;

import java.time.Duration;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.convert.DurationStyle;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Faults for a long time, also in pairs. Runs in the profile {@code soak} only.
 */
@Tag("soak")
class SoakTests {

	/** System property that sets how long faults are injected. */
	private static final String DURATION = "lockboot.faults.duration";

	@Test
	void locksKeepTheirPromisesWhateverBreaksForALongTime() {
		Duration duration = DurationStyle.detectAndParse(System.getProperty(DURATION, "10m"));
		try (Topology topology = new StandaloneTopology()) {
			Figures figures = new FaultRun(topology, Seed.choose()).soak(duration);
			System.out.println(figures);
			assertThat(figures.violations()).isEmpty();
		}
	}

}
