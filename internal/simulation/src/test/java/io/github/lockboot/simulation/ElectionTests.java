package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.simulation.Decision.Kind;
import io.github.lockboot.simulation.History.LockKind;

import static org.assertj.core.api.Assertions.assertThat;

/** The elections of three JVMs, of which the first one leads. */
class ElectionTests {

	@AutoClose
	private final Simulation simulation = new Simulation(UnaryOperator.identity());

	@ParameterizedTest
	@CsvSource({ "CLOSE, 0", "CRASH, 0", "PAUSE, 5000", "PAUSE_SERVER, 5000", "RESTART_EMPTY, 0", "STEP, 4000" })
	void aJvmLeadsAgainAfter(Kind kind, long millis) {
		Outcome outcome = this.simulation.run(history(new Decision(3000, kind, 0, 0, millis, 0, 0)), true);
		assertThat(outcome.violation()).isNull();
		assertThat(outcome.story()).containsPattern("(?s)J0 leads.*J\\d leads");
	}

	@Test
	void aHistoryWithElectionsIsTheSameAgain() {
		History history = history(new Decision(3000, Kind.CRASH, 0, 0, 0, 0, 0));
		assertThat(this.simulation.run(history, false).hash()).isEqualTo(this.simulation.run(history, false).hash());
	}

	@Test
	void aResignationThatReleasesNothingIsFound() {
		assertThat(violation("local next, more = handOver(0, last, channels, lease)", "local next, more = owner",
				new Decision(3000, Kind.CLOSE, 0, 0, 0, 0, 0)))
			.startsWith("nobody leads");
	}

	@Test
	void aLeaseThatEndsTooEarlyIsFound() {
		assertThat(violation("call('PEXPIRE', lock, lease, 'GT')", "call('PEXPIRE', lock, lease / 4)"))
			.startsWith("J0 leads, but the owner in Redis is");
	}

	private static String violation(String text, String replacement, Decision... faults) {
		try (Simulation simulation = new Simulation((script) -> script.replace(text, replacement))) {
			return Objects.requireNonNull(simulation.run(history(faults), false).violation());
		}
	}

	private static History history(Decision... faults) {
		List<Decision> decisions = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			decisions.add(new Decision(100 * i, Kind.CAMPAIGN, i, 0, 0, 0, 0));
		}
		decisions.addAll(Arrays.asList(faults));
		return new History(1, 3, -1, 1, List.of(LockKind.EXCLUSIVE), 3000, decisions);
	}

}
