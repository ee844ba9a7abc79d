package io.github.lockboot.benchmarks.scenario;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Bar;
import io.github.lockboot.benchmarks.report.Chapter;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Crew;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;

/**
 * One lock goes to and fro between two JVMs that do nothing else.
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
	public Chapter run(Lab lab) {
		Results results = lab.measure(ThreadsScenario.WAITING, 2, (crew) -> round(lab, crew),
				(crew) -> round(lab, crew));
		List<Bar> bars = List.of(
				Bar.atMost("median over Redisson's, at most 0.8 (target 0.7)",
						results.ratio(MEDIAN, PeerKind.OURS, PeerKind.REDISSON), 0.8),
				Bar.atMost("p99 over Redisson's, at most 1", results.ratio(P99, PeerKind.OURS, PeerKind.REDISSON), 1));
		List<Column> columns = List.of(Column.median("median us", MEDIAN), Column.spread(MEDIAN), Column.ratio(MEDIAN),
				Column.median("p99 us", P99));
		return new Chapter("Hand-over between two idle JVMs",
				"From before the release in one JVM until the other one, which waits, has the lock.",
				Table.of(results, columns), bars);
	}

	private static Figures round(Lab lab, Crew crew) {
		int count = lab.effort().handOvers() / (kind(crew).polls() ? 4 : 1);
		WorkerProcess holder = crew.workers().get(0);
		WorkerProcess waiter = crew.workers().get(1);
		holder.run(Job.TAKE);
		double[] micros = new double[count];
		for (int i = 0; i < count; i++) {
			waiter.begin(Job.TAKE);
			hold(kind(crew));
			holder.begin(Job.GIVE_BACK);
			double given = holder.end().get("nanos");
			micros[i] = (waiter.end().get("nanos") - given) / 1e3;
			WorkerProcess other = holder;
			holder = waiter;
			waiter = other;
		}
		holder.run(Job.GIVE_BACK);
		Arrays.sort(micros);
		return Figures.of(MEDIAN, micros[count / 2]).and(P99, micros[(int) Math.ceil(count * 0.99) - 1]);
	}

	private static PeerKind kind(Crew crew) {
		return PeerKind.valueOf(crew.kind().name());
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
