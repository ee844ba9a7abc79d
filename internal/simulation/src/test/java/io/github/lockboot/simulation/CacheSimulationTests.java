package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.simulation.Decision.Kind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories of the cache: each number is one. {@code -Dsimulation.cache-seed=N} tells
 * one, and {@code -Dsimulation=night} runs for hours.
 */
class CacheSimulationTests {

	@AutoClose
	private final Simulation simulation = new Simulation(UnaryOperator.identity());

	/** So many histories in a build, or fewer on a busy machine. */
	private static final long MOST_IN_BUILD = 300;

	@ParameterizedTest
	@ValueSource(longs = { 1, 5, 14, 98 })
	void oneNumberIsOneHistoryOfTheCache(long number) {
		assertThat(this.simulation.run(CacheHistories.of(number), false).hash())
			.isEqualTo(this.simulation.run(CacheHistories.of(number), false).hash());
	}

	@Test
	void noHistoryOfTheCacheBreaksARule() throws Exception {
		HistoryRun.of("histories of the cache", CacheHistories::of, Duration.ofSeconds(8), 1, MOST_IN_BUILD);
	}

	@Test
	void noHistoryOfTagsBreaksARule() throws Exception {
		HistoryRun.of("histories of tags", CacheHistories::tagged, Duration.ofSeconds(8), 1, MOST_IN_BUILD);
	}

	@Test
	@EnabledIfSystemProperty(named = "simulation", matches = "night")
	void noHistoryOfTheCacheOfANightBreaksARule() throws Exception {
		HistoryRun.of("histories of the cache", CacheHistories::of,
				Duration.ofHours(Integer.getInteger("simulation.hours", 8)), MOST_IN_BUILD + 1, Long.MAX_VALUE);
	}

	/** Found by a history: it lived for the rest of the grace from its store on. */
	@Test
	void anEntryWhoseLoadBeginsInAGraceExpiresAtItsEnd() {
		assertThat(violation(new CacheUse(1, 2300, 300, 0, 0, 900), new Decision(35, Kind.EVICT_ENTRY, 0, 0, 0, 0, 0),
				new Decision(450, Kind.READ, 1, 0, 550, 0, 0), new Decision(1200, Kind.READ, 1, 0, 1, 0, 0)))
			.isNull();
	}

	/** Found by history 340: it lived for its whole ttl. */
	@Test
	void anEntryOfATransactionThatBeganInAGraceIsNotStoredAfterIt() {
		assertThat(violation(new CacheUse(1, 900, 700, 0, 0, 200), new Decision(35, Kind.EVICT_ENTRY, 0, 0, 0, 0, 0),
				new Decision(462, Kind.READ, 1, 0, 1, 390, 0), new Decision(650, Kind.READ, 1, 0, 1, 0, 0)))
			.isNull();
	}

	/**
	 * Found by history 2026112721562: it shared the read of a caller that had begun
	 * before the evict.
	 */
	@Test
	void aCallerDoesNotUseTheEntryThatItsJvmCouldNotEvict() {
		assertThat(violation(new CacheUse(1, 1100, 1400, 0, 0, 0), new Decision(31, Kind.READ, 0, 0, 421, 0, 0),
				new Decision(42, Kind.READ, 0, 0, 0, 0, 0), new Decision(44, Kind.EVICT_ENTRY, 0, 0, 0, 0, 0),
				new Decision(221, Kind.READ, 0, 0, 0, 0, 0), new Decision(247, Kind.READ_ONLY, 0, 0, 161, 0, 0),
				new Decision(380, Kind.EVICT_ENTRY, 0, 0, 0, 0, 0), new Decision(438, Kind.READ, 0, 0, 24, 0, 0),
				new Decision(461, Kind.READ, 0, 0, 0, 0, 0)))
			.isNull();
	}

	/** Found by history 2026112729891: it waited for a load from before the clear. */
	@Test
	void aCallerDoesNotUseTheCacheThatItsJvmCouldNotClear() {
		assertThat(violation(new CacheUse(1, 2700, 1300, 0, 0, 0), new Decision(89, Kind.READ, 0, 0, 1106, 0, 0),
				new Decision(264, Kind.PUT, 1, 0, 0, 0, 0), new Decision(682, Kind.READ_ONLY, 0, 0, 623, 0, 0),
				new Decision(907, Kind.READ, 0, 0, 0, 0, 0), new Decision(1016, Kind.CLEAR, 0, 0, 0, 0, 0),
				new Decision(1129, Kind.READ, 0, 0, 0, 0, 0)))
			.isNull();
	}

	private @Nullable String violation(CacheUse use, Decision... decisions) {
		return this.simulation.run(new History(1, 2, -1, 1, List.of(), 1000, 0, use, List.of(decisions)), false)
			.violation();
	}

	@Test
	@EnabledIfSystemProperty(named = "simulation.cache-seed", matches = "\\d+")
	void tellsOneHistoryOfTheCache() {
		long number = Objects.requireNonNull(Long.getLong("simulation.cache-seed"));
		System.out.println(this.simulation.story(CacheHistories.of(number)));
	}

}
