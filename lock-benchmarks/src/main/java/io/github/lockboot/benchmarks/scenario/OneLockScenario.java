package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;

/**
 * Threads of one JVM that all use the same lock.
 */
final class OneLockScenario extends ThreadsScenario {

	private static final String EVEN = "even";

	OneLockScenario(int threads) {
		super(threads, 1);
	}

	@Override
	List<PeerKind> peers() {
		return WAITING;
	}

	@Override
	List<Column> columns() {
		List<Column> columns = new ArrayList<>(super.columns());
		columns.add(Column.median("slowest thread / fastest", EVEN));
		return columns;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = measure(bed);
		List<Requirement> requirements = List.of(
				Requirement.atLeast("rate over Redisson's, at least 20",
						results.ratio(RATE, PeerKind.OURS, PeerKind.REDISSON), 20),
				Requirement.atLeast("slowest thread over the fastest, at least 0.9",
						results.median(PeerKind.OURS, EVEN), 0.9));
		return new ScenarioReport(threads() + " threads, one lock, one JVM",
				"All threads use the same lock all the time.", Table.of(results, columns()), requirements);
	}

}
