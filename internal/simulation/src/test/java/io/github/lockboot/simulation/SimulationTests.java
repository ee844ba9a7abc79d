package io.github.lockboot.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.simulation.Decision.Kind;
import io.github.lockboot.simulation.History.LockKind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Histories of the world: each number is one. {@code -Dsimulation.seed=N} tells one, and
 * {@code -Dsimulation=night} runs for hours.
 */
class SimulationTests {

	@AutoClose
	private final Simulation simulation = new Simulation(UnaryOperator.identity());

	/**
	 * Of history 24; it changes with what the scripts and the engine do, and with the
	 * world.
	 */
	private static final long PINNED = -911304204155538223L;

	/** So many histories in a build, or fewer on a busy machine. */
	private static final long MOST_IN_BUILD = 1000;

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
		HistoryRun.of("histories", History::of, Duration.ofSeconds(14), 1, MOST_IN_BUILD);
	}

	@Test
	void noHistoryOfMinimumHoldTimesBreaksARule() throws Exception {
		HistoryRun.of("histories of minimum hold times", History::kept, Duration.ofSeconds(5), 1, MOST_IN_BUILD);
	}

	@Test
	void noHistoryOfOneLockBreaksARule() throws Exception {
		HistoryRun.of("histories of one lock", History::single, Duration.ofSeconds(8), 1, MOST_IN_BUILD);
	}

	static List<Named<History>> histories() {
		return List.of(
				// Found by history 350322700336: its reply came after that to the next
				// holder.
				Named.of("a holder that learns of its lock after a forced release may have a lower token",
						new History(-1207741022804207588L, 3, -1, 1, List.of(LockKind.SHARED), 900,
								List.of(new Decision(260, Kind.PAUSE, 0, 0, 919, 0, 0),
										new Decision(371, Kind.ACQUIRE, 0, 0, 1, 0, Decision.OTHER),
										new Decision(387, Kind.ACQUIRE, 2, 0, 1, 56, Decision.CONFIRMED),
										new Decision(429, Kind.ACQUIRE, 1, 0, 25, 0,
												Decision.OTHER | Decision.DOWNGRADED),
										new Decision(548, Kind.FORCE, 0, 0, 0, 0, 0),
										new Decision(588, Kind.ACQUIRE, 2, 0, 1, 0, Decision.OTHER),
										new Decision(730, Kind.ACQUIRE, 1, 0, 1, 0, 0),
										new Decision(1130, Kind.ACQUIRE, 0, 0, 0, 0, 0)))),
				// Found by history 350322705905.
				Named.of("a jvm that waits for a replica finds two dead connections",
						new History(8831215187543227215L, 4, -1, 1, List.of(LockKind.SHARED), 2100,
								List.of(new Decision(1995, Kind.ACQUIRE, 0, 0, 0, 0, 0),
										new Decision(2790, Kind.UNREPLICATED, 0, 0, 0, 0, 0),
										new Decision(3409, Kind.HALF_OPEN, 0, 0, 0, 0, 0)))),
				// Found by history 2026112701218: with the reply to {@code WAIT} missing,
				// no further
				// command was sent that would have shown that the connection is dead.
				Named.of("a connection that dies during a wait for replicas is replaced",
						new History(-7413574930746659492L, 3, -1, 1,
								List.of(LockKind.SHARED, LockKind.SEMAPHORE, LockKind.EXCLUSIVE), 1900,
								List.of(new Decision(4, Kind.ACQUIRE, 1, 2, 0, 155, 0),
										new Decision(7, Kind.ACQUIRE, 0, 0, 1, 0, Decision.OTHER),
										new Decision(34, Kind.ACQUIRE, 0, 0, 1, 0, 0),
										new Decision(36, Kind.UNREPLICATED, 1, 0, 74, 0, 0),
										new Decision(45, Kind.ACQUIRE, 1, 1, 123, 0, 0),
										new Decision(54, Kind.ACQUIRE, 0, 0, 76, 0, 0),
										new Decision(81, Kind.ACQUIRE, 1, 2, 0, 0, Decision.ALL_LOCKS),
										new Decision(97, Kind.ACQUIRE, 2, 1, 0, 0, 0),
										new Decision(102, Kind.ACQUIRE, 0, 1, 10, 0, 0),
										new Decision(113, Kind.PAUSE_SERVER, 1, 1, 70, 0, 0),
										new Decision(150, Kind.HALF_OPEN, 0, 1, 0, 0, 0)))),
				// Found by history 2026112701451: the first of several locks had 0 ms of
				// its lease left
				// when the caller got them.
				Named.of("a fixed lease of several locks begins again once all are held",
						new History(1, 2, -1, 1, List.of(LockKind.EXCLUSIVE, LockKind.EXCLUSIVE), 1100,
								List.of(new Decision(126, Kind.ACQUIRE, 0, 1, 0, 1050, 0),
										new Decision(166, Kind.ACQUIRE, 1, 1, 3413, 400,
												Decision.FIXED_LEASE | Decision.ALL_LOCKS)))),
				// Found by history 2026112710120: the caller was not warned of the loss.
				Named.of("several locks of which one cannot be renewed are not acquired",
						new History(1, 2, -1, 1, List.of(LockKind.SHARED, LockKind.FAIR), 800,
								List.of(new Decision(220, Kind.ACQUIRE, 0, 1, 0, 1473, 0),
										new Decision(283, Kind.ACQUIRE, 0, 0, 1552, 120, Decision.ALL_LOCKS),
										new Decision(946, Kind.HALF_OPEN, 0, 0, 0, 0, 0)))),
				// Found by history 44 of one lock: a grant was pushed long after the last
				// reply, by a clock
				// that is fast, and the caller held the lock for 28 ms too long.
				Named.of("a caller that claims a grant allows for the drift since the last reply",
						new History(6670588373061034471L, 2, -1, 1, List.of(LockKind.EXCLUSIVE), 4400, 8233, null,
								List.of(new Decision(1270, Kind.ACQUIRE, 1, 0, 0, 503, 0),
										new Decision(1481, Kind.ACQUIRE, 1, 0, 237, 0, 0),
										new Decision(1545, Kind.ACQUIRE, 1, 0, 173, 1, Decision.OTHER),
										new Decision(1696, Kind.PAUSE, 1, 0, 4564, 0, 0),
										new Decision(2700, Kind.ACQUIRE, 0, 0, 3773, 0, 0)))));
	}

	@ParameterizedTest
	@MethodSource("histories")
	void noHistoryThatWasFoundBreaksARule(History history) {
		assertThat(this.simulation.run(history, false).violation()).isNull();
	}

	/** The next one learned 700 ms too late that the lock was free. */
	@ParameterizedTest
	@ValueSource(longs = { 727, 3069 })
	void aCallerThatLeavesTellsTheNextOneWhenTheLockIsFree(long number) {
		assertThat(this.simulation.run(History.kept(number), false).violation()).isNull();
	}

	/** The lock stayed held for the minimum hold time of a caller that never got it. */
	@Test
	void aCallThatIsCancelledWhileItGetsTheLockKeepsItForNoTime() {
		assertThat(this.simulation.run(History.kept(127), false).violation()).isNull();
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
