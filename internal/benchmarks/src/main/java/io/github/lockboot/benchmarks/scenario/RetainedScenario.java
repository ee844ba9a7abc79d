package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;

/**
 * A lock that one JVM uses repeatedly and keeps in between.
 */
final class RetainedScenario extends ThreadsScenario {

	RetainedScenario() {
		super(1, 1);
	}

	@Override
	public String id() {
		return "retained";
	}

	@Override
	List<PeerKind> peers() {
		return List.of(PeerKind.OURS_RETAINED, PeerKind.OURS_RETAINED_RECORDED, PeerKind.OURS, PeerKind.REDISSON);
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = measure(bed.finer());
		List<Column> columns = new ArrayList<>(columns());
		columns.add(new Column("us each", (all, peer) -> Numbers.brief(1e6 / all.median(peer, RATE))));
		return new ScenarioReport("1 thread, 1 lock that its JVM retains", "Acquire and release, again and again.",
				Table.of(results, columns),
				List.of(Requirement.atLeast("rate over Redisson's, at least 100",
						results.ratio(RATE, PeerKind.OURS_RETAINED, PeerKind.REDISSON), 100),
						Requirement.atMost("microseconds, under 2", 1e6 / results.median(PeerKind.OURS_RETAINED, RATE),
								2)));
	}

}
