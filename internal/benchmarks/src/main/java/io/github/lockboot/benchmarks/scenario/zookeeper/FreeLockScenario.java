package io.github.lockboot.benchmarks.scenario.zookeeper;

import java.util.List;

import io.github.lockboot.benchmarks.peer.ZooKeeperKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Ratios;
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
 * One thread with a lock that is always free.
 */
final class FreeLockScenario implements Scenario {

	private static final List<ZooKeeperKind> PEERS = ZooKeeperKind.DEFAULTS;

	private static final String RATE = "rate";

	private static final String REQUESTS = "requests";

	@Override
	public String id() {
		return "zookeeper-free";
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.at(Ensemble.address()).finer();
		Ratios overCurator = bed.compare(ZooKeeperKind.OURS, ZooKeeperKind.CURATOR, Job.COMPARE_RATES, 1, 1,
				Effort.SLICE_MILLIS);
		Effort effort = bed.effort();
		Results results = bed.measure(PEERS, 1, (workers) -> workers.run(Job.THROUGHPUT, 1, 1, effort.warmUpMillis()),
				(workers) -> round(workers.first(), effort.windowMillis()));
		List<Column> columns = List.of(Column.median("sections/s", RATE), Column.spread(RATE), Column.ratio(RATE),
				Column.median("requests per section", REQUESTS), Column.median("CPU us each, JVM", "cpu"));
		return new ScenarioReport("ZooKeeper, 1 thread, 1 free lock", "Acquires and releases the lock repeatedly.",
				Table.of(results, columns),
				List.of(Requirement.atLeast("rate over Curator's, slices in turn, at least 1", overCurator, 1)));
	}

	private static Figures round(WorkerProcess worker, int millis) {
		long before = Ensemble.requests();
		Figures figures = worker.run(Job.THROUGHPUT, 1, 1, millis);
		double requests = Ensemble.requestsSince(before);
		return figures.and(REQUESTS, requests / Math.max(1, figures.get("sections")));
	}

}
