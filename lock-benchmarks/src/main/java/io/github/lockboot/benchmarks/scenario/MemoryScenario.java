package io.github.lockboot.benchmarks.scenario;

import java.util.List;

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
 * What held locks, waiting threads and an idle instance take up.
 */
final class MemoryScenario implements Scenario {

	/** An idle instance has let go of what it lets go of by then. */
	private static final int IDLE_MILLIS = 7000;

	@Override
	public String id() {
		return "memory";
	}

	@Override
	public Chapter run(Lab lab) {
		Results results = lab.measureOnce(List.of(PeerKind.OURS, PeerKind.REDISSON, PeerKind.INTEGRATION_SPIN,
				PeerKind.INTEGRATION_PUBSUB, PeerKind.LOCK4J), List.of("-Xmx1g", "-XX:+UseSerialGC"),
				(crew) -> weigh(lab, crew));
		List<Bar> bars = List
			.of(Bar.atMost("threads of an idle instance, at most 3", results.median(PeerKind.OURS, "threads"), 3));
		List<Column> columns = List.of(Column.median("heap bytes per held lock", "held"),
				Column.median("heap bytes per waiting thread", "waiting"),
				Column.median("Redis bytes per held lock", "redis"), Column.median("threads when idle", "threads"));
		return new Chapter("Memory and threads",
				"Heap after a collection, in use by " + String.format("%,d", lab.effort().locks())
						+ " held locks and by threads that wait for one lock (their stacks not counted); memory that"
						+ " Redis says it uses; threads that live 7 s after the last use.",
				Table.of(results, columns), bars);
	}

	private static Figures weigh(Lab lab, Crew crew) {
		WorkerProcess worker = crew.first();
		int locks = lab.effort().locks();
		int waiters = lab.effort().waiters();
		worker.run(Job.TAKE);
		worker.run(Job.GIVE_BACK);
		worker.run(Job.WATCH, IDLE_MILLIS);
		double threads = worker.run(Job.THREADS).get("threads");
		worker.run(Job.TAKE);
		double idle = heap(worker);
		worker.run(Job.WAIT, waiters);
		double waiting = heap(worker) - idle;
		worker.run(Job.GIVE_BACK);
		worker.run(Job.TAKE); // all the others have had it, if it is first come, first
								// served
		double redisBefore = lab.datasetBytes();
		double before = heap(worker);
		worker.run(Job.HOLD, locks);
		double held = heap(worker) - before;
		double redis = lab.datasetBytes() - redisBefore;
		return Figures.of("threads", threads)
			.and("waiting", waiting / waiters)
			.and("held", held / locks)
			.and("redis", redis / locks);
	}

	private static double heap(WorkerProcess worker) {
		return worker.run(Job.HEAP).get("bytes");
	}

}
