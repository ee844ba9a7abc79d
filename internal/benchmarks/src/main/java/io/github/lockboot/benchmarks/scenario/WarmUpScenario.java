package io.github.lockboot.benchmarks.scenario;

import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * The first seconds of fresh JVMs, whose code is not compiled yet.
 */
final class WarmUpScenario implements Scenario {

	private static final List<PeerKind> PEERS = List.of(PeerKind.OURS, PeerKind.OURS_CONFIRMED, PeerKind.BARE,
			PeerKind.REDISSON, PeerKind.INTEGRATION_SPIN, PeerKind.LOCK4J);

	private static final int WINDOWS = 6;

	@Override
	public String id() {
		return "warm-up";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = new Results();
		for (int round = 0; round < bed.effort().comparisons(); round++) {
			for (PeerKind peer : PEERS) {
				try (Workers workers = bed.workers(peer, 1, Effort.timed())) {
					results.add(peer, firstWindows(workers.first(), bed.effort().windowMillis()));
				}
			}
		}
		return new ScenarioReport("The first seconds, 1 thread, 1 free lock",
				"Fresh JVMs, one after the other, whose code is not compiled yet. Each window lasts "
						+ bed.effort().windowMillis() + " ms.",
				Table.of(results,
						Stream.concat(columns("sections/s, window ", WarmUpScenario::rate),
								columns("CPU us each, JVM, window ", WarmUpScenario::cpu))
							.toList()),
				List.of(Requirement.atLeast("rate over Redisson's, release confirmed, first window, at least 1",
						results.ratio(rate(1), PeerKind.OURS_CONFIRMED, PeerKind.REDISSON), 1)));
	}

	private static Figures firstWindows(WorkerProcess worker, int millis) {
		Figures all = Figures.none();
		for (int i = 1; i <= WINDOWS; i++) {
			Figures window = worker.run(Job.THROUGHPUT, 1, 1, millis, 0);
			all = all.and(rate(i), window.get("rate")).and(cpu(i), window.get("cpu"));
		}
		return all;
	}

	private static Stream<Column> columns(String title, IntFunction<String> figure) {
		return IntStream.of(1, 2, 3, WINDOWS).mapToObj((i) -> Column.median(title + i, figure.apply(i)));
	}

	private static String rate(int window) {
		return "rate" + window;
	}

	private static String cpu(int window) {
		return "cpu" + window;
	}

}
