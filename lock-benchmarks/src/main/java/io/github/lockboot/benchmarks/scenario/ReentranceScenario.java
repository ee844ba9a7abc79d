package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Bar;
import io.github.lockboot.benchmarks.report.Chapter;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Crew;
import io.github.lockboot.benchmarks.work.Job;

/**
 * A thread takes a lock that it has already.
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
	public Chapter run(Lab lab) {
		Results results = lab.measure(
				List.of(PeerKind.OURS, PeerKind.REDISSON, PeerKind.INTEGRATION_SPIN, PeerKind.INTEGRATION_PUBSUB), 1,
				(crew) -> List.of(round(lab, crew), round(lab, crew), round(lab, crew)), (crew) -> round(lab, crew));
		List<Bar> bars = List.of(Bar.atMost("microseconds, under 1", results.median(PeerKind.OURS, MICROS), 1),
				// two for the outer hold
				Bar.atMost("scripts each, none", results.median(PeerKind.OURS, SCRIPTS), 2.0 / TIMES));
		List<Column> columns = List.of(Column.median("us each", MICROS), Column.spread(MICROS), Column.ratio(MICROS),
				Column.median("scripts each", SCRIPTS));
		return new Chapter("Re-entrant acquire and release", "Within a section of the same lock.",
				Table.of(results, columns), bars);
	}

	private static Figures round(Lab lab, Crew crew) {
		long scriptsBefore = lab.scripts();
		Figures figures = crew.first().run(Job.REENTER, TIMES);
		return figures.and(SCRIPTS, (lab.scripts() - scriptsBefore) / (double) TIMES);
	}

}
