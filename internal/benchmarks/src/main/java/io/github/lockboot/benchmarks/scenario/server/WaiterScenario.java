package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Requirement;
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

	private static final int LONGEST_PAUSE_MILLIS = 30;

	@Override
	public String id() {
		return "zookeeper-hand-over";
	}

	@Override
	public ScenarioReport run(TestBed server) {
		TestBed bed = server.at(Ensemble.ZOOKEEPER.address());
		Results results = bed.measure(Ensemble.ZOOKEEPER.peers(), 2,
				(workers) -> workers.run(Job.THROUGHPUT, 1, 1, bed.effort().warmUpMillis()),
				(workers) -> HandOvers.measure(workers, bed.effort().handOvers(), LONGEST_PAUSE_MILLIS));
		List<Column> columns = List.of(Column.median("median us", HandOvers.MEDIAN), Column.spread(HandOvers.MEDIAN),
				Column.ratio(HandOvers.MEDIAN), Column.median("p99 us", HandOvers.P99));
		return new ScenarioReport("ZooKeeper, hand-over between two idle JVMs",
				"From before the release in one JVM, after a hold of 10 to 40 ms, until the other one, which waits, has"
						+ " acquired the lock.",
				Table.of(results, columns), List.of(Requirement.atMost("median time over Curator's, at most 1",
						results.ratio(HandOvers.MEDIAN, PeerKind.ZOOKEEPER_OURS, PeerKind.ZOOKEEPER_CURATOR), 1)));
	}

}
