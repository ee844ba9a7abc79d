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
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Threads of one or several JVMs that all use the same lock.
 */
final class WaitingScenario implements Scenario {

	private static final List<DatabaseKind> PEERS = List.of(DatabaseKind.OURS, DatabaseKind.INTEGRATION);

	private static final String RATE = "rate";

	private static final String STATEMENTS = "statements";

	private static final String SHARES = "shares";

	private final Database database;

	private final int jvms;

	private final int threads;

	private final int workMillis;

	WaitingScenario(Database database, int jvms, int threads, int workMillis) {
		this.database = database;
		this.jvms = jvms;
		this.threads = threads;
		this.workMillis = workMillis;
	}

	@Override
	public String id() {
		return this.database.id() + ((this.jvms == 1) ? "-threads-" + this.threads : "-jvms-" + this.jvms)
				+ ((this.workMillis > 0) ? "-work-" + this.workMillis : "");
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.contended().at(this.database.url());
		Effort effort = bed.effort();
		Results results = bed.measure(PEERS, this.jvms, (workers) -> workers.run(Job.THROUGHPUT, this.threads, 1,
				effort.warmUpMillis(), 1000 * this.workMillis), (workers) -> round(workers, effort.windowMillis()));
		List<Column> columns = List.of(Column.median("sections/s, all JVMs", RATE), Column.spread(RATE),
				Column.ratio(RATE), Column.median("statements per section", STATEMENTS),
				Column.median("least share of a JVM / greatest", SHARES));
		int least = (this.jvms == 1) ? 20 : 5;
		return new ScenarioReport(
				String.format("%s, %d JVM%s of %d threads, one lock, %d ms of work", this.database.label(), this.jvms,
						(this.jvms == 1) ? "" : "s", this.threads, this.workMillis),
				"All threads use the same lock all the time.", Table.of(results, columns),
				PEERS.stream()
					.skip((this.workMillis > 0) ? PEERS.size() : 1)
					.map((peer) -> Requirement.atLeast("rate over that of " + peer.label() + ", at least " + least,
							results.ratio(RATE, DatabaseKind.OURS, peer), least))
					.toList());
	}

	private Figures round(Workers workers, int millis) {
		long statementsBefore = this.database.statements();
		List<Figures> figures = workers.run(Job.THROUGHPUT, this.threads, 1, millis, 1000 * this.workMillis);
		double statements = this.database.statements() - statementsBefore;
		double[] rates = figures.stream().mapToDouble((each) -> each.get(RATE)).sorted().toArray();
		double sections = figures.stream().mapToDouble((each) -> each.get("sections")).sum();
		double rate = figures.stream().mapToDouble((each) -> each.get(RATE)).sum();
		return Figures.of(RATE, rate)
			.and(STATEMENTS, statements / Math.max(1, sections))
			.and(SHARES, rates[0] / Math.max(1, rates[rates.length - 1]));
	}

}
