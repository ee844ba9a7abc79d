package io.github.lockboot.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.lockboot.simulation.History.LockKind;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * JVMs that always compete for one lock, without faults. One of them may have no right to
 * channels, so that it polls, and others that wait know of it.
 */
class SharesTests {

	private static final int JVMS = 3;

	@AutoClose
	private final Simulation simulation = new Simulation(UnaryOperator.identity());

	@ParameterizedTest(name = "{0}, {1} callers in each JVM, {2} servers, JVM {5} polls")
	@CsvSource({ "EXCLUSIVE, 1, 1, 2000, 5, -1, 0", "EXCLUSIVE, 3, 1, 2000, 1.5, -1, 0", "FAIR, 3, 1, 2000, 5, -1, 0",
			"SEMAPHORE, 2, 1, 1000, 4, -1, 0", "EXCLUSIVE, 3, 3, 40000, 0.5, -1, 0", "EXCLUSIVE, 1, 1, 20000, 5, 1, 0",
			"EXCLUSIVE, 3, 1, 20000, 5, 1, 0", "EXCLUSIVE, 1, 1, 20000, 5, 1, 8", "EXCLUSIVE, 3, 1, 20000, 5, 1, 8",
			"FAIR, 3, 1, 20000, 5, 1, 0", "SEMAPHORE, 2, 1, 20000, 5, 1, 0" })
	void noJvmGetsLessThanHalfOfTheShareOfAnother(LockKind kind, int callers, int servers, long millis,
			double mostScripts, int silentJvm, int options) {
		List<Decision> decisions = new ArrayList<>();
		for (int i = 0; i < JVMS * callers; i++) {
			decisions.add(new Decision(i, Decision.Kind.COMPETE, i % JVMS, 0, millis, 2, options));
		}
		Outcome outcome = this.simulation
			.run(new History(1, JVMS, silentJvm, servers, List.of(kind), 10_000, decisions), false);
		assertThat(outcome.violation()).isNull();
		assertThat((double) outcome.scripts() / outcome.sections()).as("scripts for each section")
			.isLessThan(mostScripts);
	}

}
