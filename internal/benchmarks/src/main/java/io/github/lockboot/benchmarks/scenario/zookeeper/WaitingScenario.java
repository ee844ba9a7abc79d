package io.github.lockboot.benchmarks.scenario.zookeeper;

import java.util.List;

import io.github.lockboot.benchmarks.peer.ZooKeeperKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Threads of one or several JVMs that all use the same lock.
 */
final class WaitingScenario implements Scenario {

	static final String RATE = "rate";

	static final String REQUESTS = "requests";

	private static final String SHARES = "shares";

	private final int jvms;

	private final int threads;

	private final int workMillis;

	WaitingScenario(int jvms, int threads, int workMillis) {
		this.jvms = jvms;
		this.threads = threads;
		this.workMillis = workMillis;
	}

	@Override
	public String id() {
		return ((this.jvms == 1) ? "zookeeper-threads-" + this.threads : "zookeeper-jvms-" + this.jvms)
				+ ((this.workMillis > 0) ? "-work-" + this.workMillis : "");
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.contended().at(Ensemble.address());
		Results results = bed.measure(ZooKeeperKind.DEFAULTS, this.jvms,
				(workers) -> workers.run(Job.THROUGHPUT, this.threads, 1, bed.effort().warmUpMillis(),
						1000 * this.workMillis),
				(workers) -> round(workers, this.threads, bed.effort().windowMillis(), this.workMillis));
		List<Column> columns = List.of(Column.median("sections/s, all JVMs", RATE), Column.spread(RATE),
				Column.ratio(RATE), Column.median("requests per section", REQUESTS),
				Column.median("least share of a JVM / greatest", SHARES));
		int least = (this.jvms == 1) ? 20 : 10;
		return new ScenarioReport(
				String.format("ZooKeeper, %d JVM%s of %d threads, one lock, %d ms of work", this.jvms,
						(this.jvms == 1) ? "" : "s", this.threads, this.workMillis),
				"All threads use the same lock all the time.", Table.of(results, columns),
				(this.workMillis > 0) ? List.of()
						: List.of(Requirement.atLeast("rate over Curator's, at least " + least,
								results.ratio(RATE, ZooKeeperKind.OURS, ZooKeeperKind.CURATOR), least)));
	}

	static Figures round(Workers workers, int threads, int millis, int workMillis) {
		long before = Ensemble.requests();
		List<Figures> figures = workers.run(Job.THROUGHPUT, threads, 1, millis, 1000 * workMillis);
		double requests = Ensemble.requestsSince(before);
		double[] rates = figures.stream().mapToDouble((each) -> each.get(RATE)).sorted().toArray();
		double sections = figures.stream().mapToDouble((each) -> each.get("sections")).sum();
		double rate = figures.stream().mapToDouble((each) -> each.get(RATE)).sum();
		return Figures.of(RATE, rate)
			.and(REQUESTS, requests / Math.max(1, sections))
			.and(SHARES, rates[0] / Math.max(1, rates[rates.length - 1]));
	}

}
