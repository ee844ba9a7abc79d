package io.github.lockboot.benchmarks.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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
 * Two JVMs that use one lock one after the other, so that it is never held when it is
 * wanted, but may be retained.
 */
final class RecallScenario implements Scenario {

	private static final String MEDIAN = "median";

	private static final String MEAN = "mean";

	/** The lease of an idle lock is cut down by then. */
	private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(130);

	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final boolean inTurns;

	private RecallScenario(boolean inTurns) {
		this.inTurns = inTurns;
	}

	/**
	 * Create a scenario in which each JVM uses the lock twice, so that it is useful to
	 * retain the lock.
	 */
	static RecallScenario ofIdleLocks() {
		return new RecallScenario(false);
	}

	/**
	 * Create a scenario in which each JVM uses the lock once, so that it is useless to
	 * retain the lock.
	 */
	static RecallScenario inTurns() {
		return new RecallScenario(true);
	}

	@Override
	public String id() {
		return this.inTurns ? "in-turns" : "recall";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		PeerKind base = this.inTurns ? PeerKind.OURS : PeerKind.BARE;
		Results results = bed.measure(List.of(PeerKind.OURS_RETAINED, base), 2, (workers) -> round(bed, workers),
				(workers) -> round(bed, workers));
		List<Column> columns = List.of(Column.median("median us", MEDIAN), Column.spread(MEDIAN), Column.ratio(MEDIAN),
				Column.median("mean us", MEAN));
		Requirement requirement = this.inTurns
				? Requirement.atMost("mean over that without retention, at most 1.1",
						results.ratio(MEAN, PeerKind.OURS_RETAINED, base), 1.1)
				: Requirement.atMost("median over the floor's, which is one round trip, at most 2",
						results.ratio(MEDIAN, PeerKind.OURS_RETAINED, base), 2);
		return new ScenarioReport(
				this.inTurns ? "Two JVMs that use a lock in turns" : "A lock that another, idle JVM retains",
				"From the request in one JVM until it has acquired the lock that the other one used last.",
				Table.of(results, columns), List.of(requirement));
	}

	private Figures round(TestBed bed, Workers workers) {
		int count = bed.effort().handOvers() / (this.inTurns ? 1 : 4);
		WorkerProcess last = workers.processes().get(0);
		WorkerProcess next = workers.processes().get(1);
		double[] micros = new double[count];
		for (int i = 0; i < count; i++) {
			Figures acquired = next.run(Job.ACQUIRE);
			micros[i] = (acquired.get("nanos") - acquired.get("asked")) / 1e3;
			next.run(Job.RELEASE);
			if (!this.inTurns) {
				next.run(Job.ACQUIRE);
				next.run(Job.RELEASE);
			}
			pass(this.inTurns ? TURN_NANOS : IDLE_NANOS);
			WorkerProcess other = last;
			last = next;
			next = other;
		}
		double mean = Arrays.stream(micros).average().orElseThrow();
		Arrays.sort(micros);
		return Figures.of(MEDIAN, micros[count / 2]).and(MEAN, mean);
	}

	private static void pass(long nanos) {
		long end = System.nanoTime() + nanos;
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

}
