package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * The memory of held locks and waiting threads, and the threads of an idle instance.
 */
final class MemoryScenario implements Scenario {

	/** The time after which an idle instance has released its resources. */
	private static final int IDLE_MILLIS = 7000;

	@Override
	public String id() {
		return "memory";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = bed.measureOnce(List.of(PeerKind.OURS, PeerKind.REDISSON, PeerKind.INTEGRATION_SPIN,
				PeerKind.INTEGRATION_PUBSUB, PeerKind.LOCK4J), List.of("-Xmx1g", "-XX:+UseSerialGC"),
				(workers) -> weigh(bed, workers));
		List<Requirement> requirements = List.of(
				Requirement.atMost("threads of an idle instance, at most 3", results.median(PeerKind.OURS, "threads"),
						3),
				Requirement
					.atMost("heap bytes per held lock over Redisson's, at most 1",
							results.ratio("held", PeerKind.OURS, PeerKind.REDISSON), 1)
					.because("each lock has a mutex, a deadline and tokens of its own"));
		List<Column> columns = List.of(Column.median("heap bytes per held lock", "held"),
				new Column("heap bytes per waiting thread", MemoryScenario::waiting),
				Column.median("Redis bytes per held lock", "redis"), Column.median("threads when idle", "threads"));
		return new ScenarioReport("Memory and threads",
				"Heap after a collection, in use by " + String.format("%,d", bed.effort().locks())
						+ " held locks and by threads that wait for one lock (their stacks not counted); memory that"
						+ " Redis reports; threads 7 s after the last use.",
				Table.of(results, columns), requirements);
	}

	/** A heap that is smaller with waiters shows only how far the heap varies. */
	private static String waiting(Results results, Kind peer) {
		double bytes = results.median(peer, "waiting");
		return (bytes > 0) ? Numbers.brief(bytes) : "below the noise";
	}

	private static Figures weigh(TestBed bed, Workers workers) {
		WorkerProcess worker = workers.first();
		int locks = bed.effort().locks();
		int waiters = bed.effort().waiters();
		worker.run(Job.ACQUIRE);
		worker.run(Job.RELEASE);
		worker.run(Job.WATCH, IDLE_MILLIS);
		double threads = worker.run(Job.THREADS).get("threads");
		worker.run(Job.ACQUIRE);
		double idle = heap(worker);
		worker.run(Job.WAIT, waiters);
		double waiting = heap(worker) - idle;
		worker.run(Job.RELEASE);
		// where the queue is fair, all waiters have acquired the lock before
		worker.run(Job.ACQUIRE);
		double redisBefore = bed.datasetBytes();
		double before = heap(worker);
		worker.run(Job.HOLD, locks);
		double held = heap(worker) - before;
		double redis = bed.datasetBytes() - redisBefore;
		return Figures.of("threads", threads)
			.and("waiting", waiting / waiters)
			.and("held", held / locks)
			.and("redis", redis / locks);
	}

	private static double heap(WorkerProcess worker) {
		return worker.run(Job.HEAP).get("bytes");
	}

}
