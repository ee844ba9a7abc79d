package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
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
 * Two JVMs that do nothing but hand over one lock to each other.
 */
final class HandOverScenario implements Scenario {

	private static final String MEDIAN = "median";

	private static final String P99 = "p99";

	/** The other JVM has asked for the lock by then, and Redis has answered. */
	private static final int LEAST_HOLD_MILLIS = 10;

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
				Requirement.atMost("median over Redisson's, at most 0.45",
						results.ratio(MEDIAN, PeerKind.OURS, PeerKind.REDISSON), 0.45),
				Requirement.atMost("p99 over Redisson's, at most 1",
						results.ratio(P99, PeerKind.OURS, PeerKind.REDISSON), 1));
		List<Column> columns = List.of(Column.median("median us", MEDIAN), Column.spread(MEDIAN), Column.ratio(MEDIAN),
				Column.median("p99 us", P99));
		return new ScenarioReport("Hand-over between two idle JVMs",
				"From before the release in one JVM until the other one, which waits, has acquired the lock. Before that,"
						+ " both have handed it over as often as they could for 9 s, so that their code is compiled.",
				Table.of(results, columns), requirements);
	}

	private static Figures round(TestBed bed, Workers workers) {
		int count = bed.effort().handOvers() / (kind(workers).polls() ? 4 : 1);
		WorkerProcess holder = workers.processes().get(0);
		WorkerProcess waiter = workers.processes().get(1);
		holder.run(Job.ACQUIRE);
		double[] micros = new double[count];
		for (int i = 0; i < count; i++) {
			waiter.begin(Job.ACQUIRE);
			hold(kind(workers));
			holder.begin(Job.RELEASE);
			double given = holder.end().get("nanos");
			micros[i] = (waiter.end().get("nanos") - given) / 1e3;
			WorkerProcess other = holder;
			holder = waiter;
			waiter = other;
		}
		holder.run(Job.RELEASE);
		Arrays.sort(micros);
		return Figures.of(MEDIAN, micros[count / 2]).and(P99, micros[(int) Math.ceil(count * 0.99) - 1]);
	}

	private static PeerKind kind(Workers workers) {
		return PeerKind.valueOf(workers.kind().name());
	}

	private static void hold(PeerKind kind) {
		int varying = kind.polls() ? 100 : 5;
		int millis = LEAST_HOLD_MILLIS + ThreadLocalRandom.current().nextInt(varying);
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		while (System.nanoTime() - end < 0) {
			LockSupport.parkNanos(end - System.nanoTime());
		}
	}

}
