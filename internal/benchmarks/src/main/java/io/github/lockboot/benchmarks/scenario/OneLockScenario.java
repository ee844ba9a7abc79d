package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;

/**
 * Threads of one JVM that all use the same lock. Without work in its sections a library
 * that passes the lock on inside the JVM is far ahead of one that asks Redis each time;
 * the more work, the less it matters.
 */
final class OneLockScenario extends ThreadsScenario {

	private static final String EVEN = "even";

	private final int workMillis;

	OneLockScenario(int threads, int workMillis) {
		super(threads, 1);
		this.workMillis = workMillis;
	}

	@Override
	public String id() {
		return super.id() + ((this.workMillis > 0) ? "-work-" + this.workMillis : "");
	}

	@Override
	List<PeerKind> peers() {
		List<PeerKind> peers = new ArrayList<>(WAITING);
		peers.add(peers.indexOf(PeerKind.REDISSON) + 1, PeerKind.REDISSON_BEHIND);
		return peers;
	}

	@Override
	int workMicros() {
		return 1000 * this.workMillis;
	}

	@Override
	List<Column> columns() {
		List<Column> columns = new ArrayList<>(super.columns());
		columns.add(Column.median("slowest thread / fastest", EVEN));
		columns.addAll(WAITS);
		return columns;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = measure(bed.contended());
		List<Requirement> requirements = (this.workMillis > 0) ? List.of()
				: List.of(
						Requirement.atLeast("rate over Spring Integration's, at least 10",
								results.ratio(RATE, PeerKind.OURS, PeerKind.INTEGRATION_PUBSUB), 10),
						Requirement.atLeast("slowest thread over the fastest, at least 0.9",
								results.median(PeerKind.OURS, EVEN), 0.9));
		return new ScenarioReport(threads() + " threads, one lock, one JVM, " + work() + " in each section",
				"All threads use the same lock all the time.", Table.of(results, columns()), requirements);
	}

	private String work() {
		return (this.workMillis > 0) ? this.workMillis + " ms of work" : "no work";
	}

}
