package io.github.lockboot.benchmarks.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Pause;
import io.github.lockboot.benchmarks.work.WorkerProcess;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Two JVMs that use one lock one after the other, each twice, so that it is never held
 * when it is wanted, and it is useful to retain it.
 */
final class RecallScenario implements Scenario {

	private static final String MEDIAN = "median";

	private static final String MEAN = "mean";

	/** The lease of an idle lock is cut down by then. */
	private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(130);

	@Override
	public String id() {
		return "recall";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = bed.measure(List.of(PeerKind.OURS_RETAINED, PeerKind.BARE), 2,
				(workers) -> round(bed, workers), (workers) -> round(bed, workers));
		List<Column> columns = List.of(Column.median("median us", MEDIAN), Column.spread(MEDIAN), Column.ratio(MEDIAN),
				Column.median("mean us", MEAN));
		return new ScenarioReport("A lock that another, idle JVM retains",
				"From the request in one JVM until it has acquired the lock that the other one used last.",
				Table.of(results, columns),
				List.of(Requirement
					.atMost("median over the floor's, which is one round trip, at most 2",
							results.ratio(MEDIAN, PeerKind.OURS_RETAINED, PeerKind.BARE), 2)
					.because("the other JVM is asked first, and its threads are asleep")));
	}

	private Figures round(TestBed bed, Workers workers) {
		int count = bed.effort().handOvers() / 4;
		WorkerProcess last = workers.processes().get(0);
		WorkerProcess next = workers.processes().get(1);
		double[] micros = new double[count];
		for (int i = 0; i < count; i++) {
			Figures acquired = next.run(Job.ACQUIRE);
			micros[i] = (acquired.get("nanos") - acquired.get("asked")) / 1e3;
			next.run(Job.RELEASE);
			next.run(Job.ACQUIRE);
			next.run(Job.RELEASE);
			Pause.of(IDLE_NANOS);
			WorkerProcess other = last;
			last = next;
			next = other;
		}
		double mean = Arrays.stream(micros).average().orElseThrow();
		Arrays.sort(micros);
		return Figures.of(MEDIAN, micros[count / 2]).and(MEAN, mean);
	}

}
