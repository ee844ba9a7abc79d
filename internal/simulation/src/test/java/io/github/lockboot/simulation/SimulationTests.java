package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.simulation.Decision.Kind;
import io.github.lockboot.simulation.History.LockKind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories of the world: each number is one. {@code -Dsimulation.seed=N} tells one, and
 * {@code -Dsimulation=night} runs for hours.
 */
class SimulationTests {

	private final Simulation simulation = new Simulation(UnaryOperator.identity());

	/**
	 * Of history 24; it changes with what the scripts and the engine do, and with the
	 * world.
	 */
	private static final long PINNED = 7651207890054803247L;

	/** So many histories in a build, or fewer on a busy machine. */
	private static final long MOST_IN_BUILD = 1000;

	@AfterEach
	void close() {
		this.simulation.close();
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 11, 47 })
	void oneNumberIsOneHistory(long number) {
		assertThat(this.simulation.run(History.of(number), false).hash())
			.isEqualTo(this.simulation.run(History.of(number), false).hash());
	}

	@Test
	void aHistoryIsTheSameOnEachJdk() {
		assertThat(this.simulation.run(History.of(24), false).hash()).isEqualTo(PINNED);
	}

	@Test
	void noHistoryBreaksARule() throws Exception {
		HistoryRun.of("histories", History::of, Duration.ofSeconds(20), 1, MOST_IN_BUILD);
	}

	/** Found by history 350322700336: its reply came after that to the next holder. */
	@Test
	void aHolderThatLearnsOfItsLockAfterAForcedReleaseMayHaveALowerToken() {
		History history = new History(-1207741022804207588L, 3, -1, 1, List.of(LockKind.SHARED), 900,
				List.of(new Decision(260, Kind.PAUSE, 0, 0, 919, 0, 0),
						new Decision(371, Kind.ACQUIRE, 0, 0, 1, 0, Decision.OTHER),
						new Decision(387, Kind.ACQUIRE, 2, 0, 1, 56, Decision.CONFIRMED),
						new Decision(429, Kind.ACQUIRE, 1, 0, 25, 0, Decision.OTHER | Decision.DOWNGRADED),
						new Decision(548, Kind.FORCE, 0, 0, 0, 0, 0),
						new Decision(588, Kind.ACQUIRE, 2, 0, 1, 0, Decision.OTHER),
						new Decision(730, Kind.ACQUIRE, 1, 0, 1, 0, 0),
						new Decision(1130, Kind.ACQUIRE, 0, 0, 0, 0, 0)));
		assertThat(this.simulation.run(history, false).violation()).isNull();
	}

	/** Found by history 350322705905. */
	@Test
	void aJvmThatWaitsForAReplicaFindsTwoDeadConnections() {
		History history = new History(8831215187543227215L, 4, -1, 1, List.of(LockKind.SHARED), 2100,
				List.of(new Decision(1995, Kind.ACQUIRE, 0, 0, 0, 0, 0),
						new Decision(2790, Kind.UNREPLICATED, 0, 0, 0, 0, 0),
						new Decision(3409, Kind.HALF_OPEN, 0, 0, 0, 0, 0)));
		assertThat(this.simulation.run(history, false).violation()).isNull();
	}

	@Test
	void aLockThatNoReplicaAcknowledgesIsNotAcquired() {
		assertThat(outcome(new Decision(50, Kind.UNREPLICATED, 0, 0, 5000, 0, 0)).sections())
			.isEqualTo(outcome().sections() - 2);
	}

	@Test
	void aJvmWhoseUserMayNoLongerUseChannelsPolls() {
		assertThat(outcome(new Decision(500, Kind.REVOKE, 1, 0, 5000, 0, 0)).scripts())
			.isGreaterThan(outcome().scripts());
	}

	/** A JVM holds a lock, for which another one waits. */
	private Outcome outcome(Decision... faults) {
		List<Decision> decisions = new ArrayList<>(List.of(faults));
		decisions.add(new Decision(400, Kind.ACQUIRE, 0, 0, 100, 1500, 0));
		decisions.add(new Decision(600, Kind.ACQUIRE, 1, 0, 3000, 1, 0));
		Outcome outcome = this.simulation.run(new History(1, 2, -1, 1, List.of(LockKind.EXCLUSIVE), 1000, decisions),
				false);
		assertThat(outcome.violation()).isNull();
		return outcome;
	}

	@Test
	@EnabledIfSystemProperty(named = "simulation", matches = "night")
	void noHistoryOfANightBreaksARule() throws Exception {
		HistoryRun.of("histories of a night", History::of, Duration.ofHours(Integer.getInteger("simulation.hours", 8)),
				MOST_IN_BUILD + 1, Long.MAX_VALUE);
	}

	@Test
	@EnabledIfSystemProperty(named = "simulation.seed", matches = "\\d+")
	void tellsOneHistory() {
		System.out.println(this.simulation.story(History.of(Objects.requireNonNull(Long.getLong("simulation.seed")))));
	}

}
