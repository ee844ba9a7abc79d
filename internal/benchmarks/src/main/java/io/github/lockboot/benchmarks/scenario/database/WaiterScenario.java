package io.github.lockboot.benchmarks.scenario.database;

import java.util.List;

import io.github.lockboot.benchmarks.peer.DatabaseKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.HandOvers;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;

/**
 * Two JVMs that do nothing but hand over one lock to each other.
 */
final class WaiterScenario implements Scenario {

	private static final int LONGEST_PAUSE_MILLIS = 100;

	private final Database database;

	WaiterScenario(Database database) {
		this.database = database;
	}

	@Override
	public String id() {
		return this.database.id() + "-hand-over";
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.at(this.database.url());
		int count = Math.max(2, bed.effort().handOvers() / 4);
		Results results = bed.measure(List.of(DatabaseKind.OURS, DatabaseKind.INTEGRATION), 2,
				(workers) -> workers.run(Job.THROUGHPUT, 1, 1, 3 * bed.effort().warmUpMillis()),
				(workers) -> HandOvers.measure(workers, count, LONGEST_PAUSE_MILLIS));
		List<Column> columns = List.of(Column.median("median us", HandOvers.MEDIAN), Column.spread(HandOvers.MEDIAN),
				Column.ratio(HandOvers.MEDIAN), Column.median("p99 us", HandOvers.P99));
		return new ScenarioReport(this.database.label() + ", hand-over between two idle JVMs",
				"From before the release in one JVM, after a hold of 10 to 110 ms, until the other one, which waits, has"
						+ " acquired the lock.",
				Table.of(results, columns), List.of());
	}

}
