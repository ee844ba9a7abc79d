package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories of the world: each number is one. {@code -Dsimulation.seed=N} tells one, and
 * {@code -Dsimulation=night} runs for hours.
 */
class SimulationTests {

	private static final Simulation SIMULATION = new Simulation(UnaryOperator.identity());

	/**
	 * Of history 7; it changes with what the scripts and the engine do, and with the
	 * world.
	 */
	private static final long PINNED = -8796069142932905009L;

	/** So many histories in a build, or fewer on a busy machine. */
	private static final long MOST_IN_BUILD = 500;

	@AfterAll
	static void close() {
		SIMULATION.close();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 11, 47 })
	void oneNumberIsOneHistory(long number) {
		assertThat(SIMULATION.run(History.of(number), false).hash())
			.isEqualTo(SIMULATION.run(History.of(number), false).hash());
	}

	@Test
	void aHistoryIsTheSameOnEachJdk() {
		assertThat(SIMULATION.run(History.of(7), false).hash()).isEqualTo(PINNED);
	}

	@Test
	void noHistoryBreaksARule() {
		boolean night = "night".equals(System.getProperty("simulation"));
		Duration length = night ? Duration.ofHours(Integer.getInteger("simulation.hours", 8)) : Duration.ofSeconds(20);
		long end = System.nanoTime() + length.toNanos();
		long histories = 0;
		while (System.nanoTime() - end < 0 && (night || histories < MOST_IN_BUILD)) {
			long number = ++histories;
			if (SIMULATION.run(History.of(number), false).violation() != null) {
				throw new AssertionError("history " + number + "\n" + story(number));
			}
		}
		System.out.println("Simulation: " + histories + " histories without a violation");
	}

	@Test
	@EnabledIfSystemProperty(named = "simulation.seed", matches = "\\d+")
	void tellsOneHistory() {
		System.out.println(story(Objects.requireNonNull(Long.getLong("simulation.seed"))));
	}

	private static String story(long number) {
		History history = History.of(number);
		Outcome outcome = SIMULATION.run(history, true);
		if (outcome.violation() == null) {
			return history + "\n\n" + outcome.story();
		}
		History shortest = SIMULATION.shrink(history);
		return shortest + "\n\n" + SIMULATION.run(shortest, true).story();
	}

}
