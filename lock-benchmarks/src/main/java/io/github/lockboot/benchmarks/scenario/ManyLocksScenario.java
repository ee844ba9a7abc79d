package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Bar;
import io.github.lockboot.benchmarks.report.Chapter;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.Table;

/**
 * Each thread has a lock of its own.
 */
final class ManyLocksScenario extends ThreadsScenario {

	ManyLocksScenario() {
		super(64, 64);
	}

	@Override
	public Chapter run(Lab lab) {
		return super.run(lab.finer());
	}

	@Override
	List<PeerKind> peers() {
		return ALL;
	}

	@Override
	Chapter tell(Results results) {
		List<Bar> bars = List.of(
				Bar.atLeast("rate over the floor's, at least 0.9", results.ratio(RATE, PeerKind.OURS, PeerKind.BARE),
						0.9),
				Bar.atLeast("rate over Redisson's, about 3", results.ratio(RATE, PeerKind.OURS, PeerKind.REDISSON), 3));
		return new Chapter("64 threads, 64 locks", "Each thread has a lock of its own: no waiting.",
				Table.of(results, columns()), bars);
	}

}
