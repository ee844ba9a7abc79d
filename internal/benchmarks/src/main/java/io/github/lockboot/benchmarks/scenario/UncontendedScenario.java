package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Ratios;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;

/**
 * Threads of one JVM, each with its own lock, which is always free.
 */
final class UncontendedScenario extends ThreadsScenario {

	private static final String MORE_COMMANDS = "a token and a look for waiters cost Redis commands that the floor does"
			+ " not run";

	UncontendedScenario(int threads) {
		super(threads, threads);
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Ratios sent = overFloor(bed, PeerKind.OURS);
		Ratios confirmed = overFloor(bed, PeerKind.OURS_CONFIRMED);
		Results results = measure(bed.finer());
		return (threads() == 1) ? one(results, sent, confirmed) : many(results, sent, confirmed);
	}

	private Ratios overFloor(TestBed bed, PeerKind ours) {
		return bed.compare(ours, PeerKind.BARE, Job.COMPARE_RATES, threads(), threads(), Effort.SLICE_MILLIS);
	}

	@Override
	List<PeerKind> peers() {
		return List.of(PeerKind.OURS, PeerKind.OURS_CONFIRMED, PeerKind.BARE, PeerKind.BARE_SENT, PeerKind.REDISSON,
				PeerKind.REDISSON_FAIR, PeerKind.INTEGRATION_SPIN, PeerKind.INTEGRATION_PUBSUB, PeerKind.LOCK4J);
	}

	private ScenarioReport one(Results results, Ratios sent, Ratios confirmed) {
		double overFloor = micros(results, PeerKind.BARE) * (1 / confirmed.median() - 1);
		List<Column> columns = new ArrayList<>(columns());
		columns.add(new Column("us each", (all, peer) -> Numbers.brief(micros(all, peer))));
		return new ScenarioReport("1 thread, 1 free lock", "Acquires and releases the lock repeatedly.",
				Table.of(results, columns),
				List.of(Requirement.atLeast("rate over the floor's, slices in turn, at least 1.3", sent, 1.3),
						Requirement.atLeast("the same, release confirmed, at least 0.90", confirmed, 0.90)
							.because(MORE_COMMANDS),
						Requirement.atMost("microseconds over the floor, release confirmed, target 10", overFloor, 10)
							.because(MORE_COMMANDS),
						Requirement.atLeast("rate over Redisson's, at least 1",
								results.ratio(RATE, PeerKind.OURS, PeerKind.REDISSON), 1)));
	}

	private ScenarioReport many(Results results, Ratios sent, Ratios confirmed) {
		return new ScenarioReport(threads() + " threads, " + threads() + " locks",
				"Each thread has a lock of its own: no waiting.", Table.of(results, columns()),
				List.of(Requirement.atLeast("rate over the floor's, slices in turn, at least 0.9", sent, 0.9),
						Requirement.atLeast("the same, release confirmed, at least 0.9", confirmed, 0.9)
							.because(MORE_COMMANDS),
						Requirement.atLeast("rate over Redisson's, about 3",
								results.ratio(RATE, PeerKind.OURS, PeerKind.REDISSON), 3)));
	}

	private static double micros(Results results, Kind peer) {
		return 1e6 / results.median(peer, RATE);
	}

}
