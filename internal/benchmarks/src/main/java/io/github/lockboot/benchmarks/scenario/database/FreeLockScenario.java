package io.github.lockboot.benchmarks.scenario.database;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.DatabaseKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Ratios;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;

/**
 * One thread with a lock that is always free.
 */
final class FreeLockScenario implements Scenario {

	private static final String RATE = "rate";

	private final Database database;

	FreeLockScenario(Database database) {
		this.database = database;
	}

	@Override
	public String id() {
		return this.database.id() + "-free";
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.at(this.database.url()).finer();
		Ratios overFloor = bed.compare(DatabaseKind.OURS, DatabaseKind.BARE, Job.COMPARE_RATES, 1, 1,
				Effort.SLICE_MILLIS);
		Effort effort = bed.effort();
		Results results = bed.measure(peers(), 1, (workers) -> workers.run(Job.THROUGHPUT, 1, 1, effort.warmUpMillis()),
				(workers) -> workers.first().run(Job.THROUGHPUT, 1, 1, effort.windowMillis()));
		List<Column> columns = List.of(Column.median("sections/s", RATE), Column.spread(RATE), Column.ratio(RATE),
				Column.median("CPU us each, JVM", "cpu"));
		return new ScenarioReport(this.database.label() + ", 1 thread, 1 free lock",
				"Acquires and releases the lock repeatedly. In PostgreSQL our release does not wait for the disk, nor does"
						+ " that of the bare statements.",
				Table.of(results, columns), List.of(Requirement
					.atLeast("rate over the bare statements', slices in turn, at least 0.9", overFloor, 0.9)));
	}

	private List<DatabaseKind> peers() {
		List<DatabaseKind> peers = new ArrayList<>(
				List.of(DatabaseKind.OURS, DatabaseKind.BARE, DatabaseKind.SHEDLOCK, DatabaseKind.INTEGRATION));
		if (this.database == Database.POSTGRESQL) {
			peers.addAll(List.of(DatabaseKind.SHEDLOCK_RELAXED, DatabaseKind.INTEGRATION_RELAXED));
		}
		return peers;
	}

}
