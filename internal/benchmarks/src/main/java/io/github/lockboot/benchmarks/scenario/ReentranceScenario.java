package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * A thread that acquires a lock it already holds.
 */
final class ReentranceScenario implements Scenario {

	private static final String MICROS = "micros";

	private static final String SCRIPTS = "scripts";

	private static final int TIMES = 5000;

	@Override
	public String id() {
		return "re-entrant";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = bed.measure(
				List.of(PeerKind.OURS, PeerKind.REDISSON, PeerKind.INTEGRATION_SPIN, PeerKind.INTEGRATION_PUBSUB), 1,
				(workers) -> List.of(round(bed, workers), round(bed, workers), round(bed, workers)),
				(workers) -> round(bed, workers));
		List<Requirement> requirements = List.of(
				Requirement.atMost("microseconds, under 1", results.median(PeerKind.OURS, MICROS), 1),
				// two for the outer hold
				Requirement.atMost("scripts each, none", results.median(PeerKind.OURS, SCRIPTS), 2.0 / TIMES));
		List<Column> columns = List.of(Column.median("us each", MICROS), Column.spread(MICROS), Column.ratio(MICROS),
				Column.median("scripts each", SCRIPTS));
		return new ScenarioReport("Re-entrant acquire and release", "Within a section of the same lock.",
				Table.of(results, columns), requirements);
	}

	private static Figures round(TestBed bed, Workers workers) {
		long scriptsBefore = bed.scripts();
		Figures figures = workers.first().run(Job.REENTER, TIMES);
		return figures.and(SCRIPTS, (bed.scripts() - scriptsBefore) / (double) TIMES);
	}

}
