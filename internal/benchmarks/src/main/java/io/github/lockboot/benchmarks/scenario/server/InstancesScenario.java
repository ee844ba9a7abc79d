package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;

/**
 * Many instances, each with one thread, that all use the same lock: with fair requests
 * each section begins with a hand-over from another instance.
 */
final class InstancesScenario implements Scenario {

	private static final int JVMS = 2;

	private static final int INSTANCES = 8;

	@Override
	public String id() {
		return "zookeeper-instances-" + JVMS * INSTANCES;
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.contended().at(Ensemble.ZOOKEEPER.address()).instances(INSTANCES);
		Results results = bed.measure(
				List.of(PeerKind.ZOOKEEPER_OURS, PeerKind.ZOOKEEPER_OURS_FAIR, PeerKind.ZOOKEEPER_CURATOR,
						PeerKind.ZOOKEEPER_INTEGRATION),
				JVMS, (workers) -> workers.run(Job.THROUGHPUT, INSTANCES, 1, bed.effort().warmUpMillis()),
				(workers) -> WaitingScenario.round(Ensemble.ZOOKEEPER, workers, INSTANCES, bed.effort().windowMillis(),
						0));
		List<Column> columns = List.of(Column.median("sections/s, all instances", WaitingScenario.RATE),
				Column.spread(WaitingScenario.RATE), Column.ratio(WaitingScenario.RATE),
				Column.median("requests per section", WaitingScenario.COUNTED));
		return new ScenarioReport(
				String.format("ZooKeeper, %d instances of one thread in %d JVMs, one lock", JVMS * INSTANCES, JVMS),
				"All threads use the same lock all the time. Without `fair` an instance may acquire it several times in"
						+ " a row.",
				Table.of(results, columns),
				List.of(Requirement.atLeast("rate with fair over Curator's, at least 0.8",
						results.ratio(WaitingScenario.RATE, PeerKind.ZOOKEEPER_OURS_FAIR, PeerKind.ZOOKEEPER_CURATOR),
						0.8)));
	}

}
