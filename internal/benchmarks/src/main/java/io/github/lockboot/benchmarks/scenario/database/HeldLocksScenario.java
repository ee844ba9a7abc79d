package io.github.lockboot.benchmarks.scenario.database;

import java.util.List;

import io.github.lockboot.benchmarks.peer.DatabaseKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;

/**
 * Many locks that are held and renewed.
 */
final class HeldLocksScenario implements Scenario {

	private static final String CPU = "cpu";

	private static final String STATEMENTS = "statements";

	private final Database database;

	HeldLocksScenario(Database database) {
		this.database = database;
	}

	@Override
	public String id() {
		return this.database.id() + "-renewal";
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.at(this.database.url());
		Results results = bed.measureOnce(List.of(DatabaseKind.OURS, DatabaseKind.SHEDLOCK_KEPT), Effort.timed(),
				(workers) -> watch(workers.first(), bed.effort()));
		List<Column> columns = List.of(Column.median("% of a core", CPU), Column.median("statements/s", STATEMENTS));
		return new ScenarioReport(
				String.format("%s, %,d locks held, lease 30 s", this.database.label(), bed.effort().locks()),
				"CPU time of all threads of the process that renews.", Table.of(results, columns),
				List.of(Requirement.atMost("percent of a core for renewals, under 3",
						results.median(DatabaseKind.OURS, CPU), 3),
						Requirement.atMost("statements a second, under 20",
								results.median(DatabaseKind.OURS, STATEMENTS), 20)));
	}

	private Figures watch(WorkerProcess worker, Effort effort) {
		worker.run(Job.HOLD, effort.locks());
		worker.run(Job.WATCH, effort.watchMillis() / 2); // until all is compiled
		long statementsBefore = this.database.statements();
		double cpu = worker.run(Job.WATCH, effort.watchMillis()).get("cpu");
		double statements = this.database.statements() - statementsBefore;
		worker.run(Job.RELEASE_ALL);
		return Figures.of(CPU, 100 * cpu).and(STATEMENTS, statements * 1000 / effort.watchMillis());
	}

}
