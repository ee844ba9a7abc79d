package io.github.lockboot.benchmarks.scenario;

import java.time.Duration;
import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.peer.RedisAddress;
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
 * Many locks that are held and renewed.
 */
public final class RenewalScenario implements Scenario {

	/** Why renewals cost processor time. */
	public static final String COSTS = "each lock has a deadline, a timer and listeners of its own";

	private static final Duration LEASE = Duration.ofSeconds(30);

	private static final String CPU = "cpu";

	private static final String LEAST = "least";

	private static final String SCRIPTS = "scripts";

	private static final String REDIS = "redis";

	/** The number of locks of the normal effort. */
	private static final int NORMAL = 10_000;

	private final int locks;

	RenewalScenario(int locks) {
		this.locks = locks;
	}

	@Override
	public String id() {
		return "renewal-" + this.locks;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = bed.measureOnce(List.of(PeerKind.OURS, PeerKind.REDISSON), Effort.timed(),
				(workers) -> watch(bed, workers));
		List<Requirement> requirements = List.of(
				Requirement.atMost("percent of a core for renewals, under 2", results.median(PeerKind.OURS, CPU), 2)
					.because(COSTS),
				Requirement
					.atMost("percent of both over Redisson's, at most 1",
							both(results, PeerKind.OURS) / both(results, PeerKind.REDISSON), 1)
					.because(COSTS),
				Requirement.atLeast("least rest of a lease seen, over 1/3", results.median(PeerKind.OURS, LEAST),
						1 / 3.0));
		List<Column> columns = List.of(Column.median("% of a core", CPU), Column.median("% of a core, Redis", REDIS),
				Column.median("scripts/s", SCRIPTS), Column.median("least rest of a lease", LEAST));
		return new ScenarioReport(String.format("%,d locks held, lease 30 s", locks(bed)),
				"CPU time of all threads of the process that renews, and the least share of its lease that any lock"
						+ " was seen to have left in Redis.",
				Table.of(results, columns), requirements);
	}

	private static double both(Results results, PeerKind peer) {
		return results.median(peer, CPU) + results.median(peer, REDIS);
	}

	private int locks(TestBed bed) {
		return (int) ((long) bed.effort().locks() * this.locks / NORMAL);
	}

	private Figures watch(TestBed bed, Workers workers) {
		int held = locks(bed);
		int millis = bed.effort().watchMillis();
		WorkerProcess worker = workers.first();
		worker.run(Job.HOLD, held);
		worker.run(Job.WATCH, millis / 4); // until everything is compiled
		long scriptsBefore = bed.scripts();
		double redisBefore = bed.redisCpuMicros();
		double cpu = worker.run(Job.WATCH, millis).get("cpu");
		double redis = bed.redisCpuMicros() - redisBefore;
		double scripts = bed.scripts() - scriptsBefore;
		try (LeaseProbe probe = LeaseProbe.start(RedisAddress.of(bed.address()),
				PeerKind.valueOf(workers.kind().name()).keys(), held)) {
			worker.run(Job.WATCH, millis);
			return Figures.of(CPU, 100 * cpu)
				.and(REDIS, redis / millis / 10)
				.and(SCRIPTS, scripts * 1000 / millis)
				.and(LEAST, probe.leastMillis() / (double) LEASE.toMillis());
		}
	}

}
