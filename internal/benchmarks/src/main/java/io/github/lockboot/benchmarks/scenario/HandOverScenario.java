package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Two JVMs that only hand over one lock to each other.
 */
final class HandOverScenario implements Scenario {

	@Override
	public String id() {
		return "hand-over";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		List<PeerKind> peers = new ArrayList<>(ThreadsScenario.WAITING);
		peers.add(1, PeerKind.BARE_PUSH);
		Results results = bed.measure(peers, 2,
				(workers) -> workers.run(Job.THROUGHPUT, 1, 1, 3 * bed.effort().warmUpMillis()),
				(workers) -> round(bed, workers));
		List<Requirement> requirements = List.of(
				Requirement
					.atMost("median over Redisson's, at most 0.45",
							results.ratio(HandOvers.MEDIAN, PeerKind.OURS, PeerKind.REDISSON), 0.45)
					.because("the bare floor, which has no queue, is itself near the limit"),
				Requirement
					.atMost("p99 over Redisson's, at most 1",
							results.ratio(HandOvers.P99, PeerKind.OURS, PeerKind.REDISSON), 1)
					.because("the releasing JVM does not wait, and runs beside the hand-over"));
		List<Column> columns = List.of(Column.median("median us", HandOvers.MEDIAN), Column.spread(HandOvers.MEDIAN),
				Column.ratio(HandOvers.MEDIAN), Column.median("p99 us", HandOvers.P99));
		return new ScenarioReport("Hand-over between two idle JVMs",
				"From before the release in one JVM until the other one, which waits, has acquired the lock. Before that,"
						+ " both have handed it over as often as they could for 9 s, so that their code is compiled.",
				Table.of(results, columns), requirements);
	}

	private static Figures round(TestBed bed, Workers workers) {
		boolean polls = PeerKind.valueOf(workers.kind().name()).polls();
		return HandOvers.measure(workers, bed.effort().handOvers() / (polls ? 4 : 1), polls ? 100 : 5);
	}

}
