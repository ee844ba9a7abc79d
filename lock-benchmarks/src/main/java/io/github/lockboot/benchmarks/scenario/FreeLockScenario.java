package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Bar;
import io.github.lockboot.benchmarks.report.Chapter;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.Table;

/**
 * One thread, one lock that is always free.
 */
final class FreeLockScenario extends ThreadsScenario {

	FreeLockScenario() {
		super(1, 1);
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
	List<Column> columns() {
		List<Column> columns = new ArrayList<>(super.columns());
		columns.add(new Column("us each", (results, peer) -> Numbers.brief(micros(results, peer))));
		return columns;
	}

	@Override
	Chapter tell(Results results) {
		double overFloor = micros(results, PeerKind.OURS) - micros(results, PeerKind.BARE);
		List<Bar> bars = List.of(
				Bar.atLeast("rate over the floor's, at least 0.90", results.ratio(RATE, PeerKind.OURS, PeerKind.BARE),
						0.90),
				Bar.atMost("microseconds over the floor, target 10", overFloor, 10), Bar.atLeast(
						"rate over Redisson's, at least 1", results.ratio(RATE, PeerKind.OURS, PeerKind.REDISSON), 1));
		return new Chapter("1 thread, 1 free lock", "Acquire and release, again and again.",
				Table.of(results, columns()), bars);
	}

	private static double micros(Results results, Kind peer) {
		return 1e6 / results.median(peer, RATE);
	}

}
