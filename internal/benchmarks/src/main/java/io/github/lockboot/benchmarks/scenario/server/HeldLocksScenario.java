package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.RenewalScenario;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;

/**
 * Many locks that are held.
 */
final class HeldLocksScenario implements Scenario {

	private static final String CPU = "cpu";

	private static final String REQUESTS = "requests";

	@Override
	public String id() {
		return "zookeeper-renewal";
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.at(Ensemble.ZOOKEEPER.address());
		Results results = bed.measureOnce(List.of(PeerKind.ZOOKEEPER_OURS, PeerKind.ZOOKEEPER_CURATOR), Effort.timed(),
				(workers) -> watch(workers.first(), bed.effort()));
		List<Column> columns = List.of(Column.median("% of a core", CPU), Column.median("requests/s", REQUESTS));
		return new ScenarioReport(String.format("ZooKeeper, %,d locks held", bed.effort().locks()),
				"CPU time of all threads of the process that holds them, and the requests of its session.",
				Table.of(results, columns), List.of(
						Requirement
							.atMost("percent of a core for renewals, under 1",
									results.median(PeerKind.ZOOKEEPER_OURS, CPU), 1)
							.because(RenewalScenario.COSTS),
						Requirement.atMost("requests a second with those of the idle session, under 3",
								results.median(PeerKind.ZOOKEEPER_OURS, REQUESTS), 3)));
	}

	private static Figures watch(WorkerProcess worker, Effort effort) {
		worker.run(Job.HOLD, effort.locks());
		worker.run(Job.WATCH, effort.watchMillis() / 4); // until all is compiled
		long before = Ensemble.ZOOKEEPER.count();
		double cpu = worker.run(Job.WATCH, effort.watchMillis()).get("cpu");
		double requests = Ensemble.ZOOKEEPER.countSince(before);
		worker.run(Job.RELEASE_ALL);
		return Figures.of(CPU, 100 * cpu).and(REQUESTS, requests * 1000 / effort.watchMillis());
	}

}
