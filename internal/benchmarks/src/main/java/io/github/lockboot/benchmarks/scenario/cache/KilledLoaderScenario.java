package io.github.lockboot.benchmarks.scenario.cache;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.lockboot.benchmarks.cache.CacheKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * A JVM is killed while it loads an entry, and another one waits for the load.
 */
final class KilledLoaderScenario implements Scenario {

	private static final int LEASE_MILLIS = 1000;

	/** The time after which the other JVM waits. */
	private static final int LEAST_WAIT_MILLIS = 100;

	private static final String MILLIS = "millis";

	@Override
	public String id() {
		return "cache-killed";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = new Results();
		int kills = Math.max(2, bed.effort().handOvers() / 12);
		try (Workers workers = bed.workers(CacheKind.OURS_SHORT_LEASE, kills + 1, List.of("-Xmx64m"))) {
			for (int i = 1; i <= kills; i++) {
				results.add(workers.kind(), kill(workers.processes().get(i), workers.first(), i));
			}
		}
		List<Requirement> requirements = List.of(Requirement.atMost("ms, at most the lease and 100 ms",
				results.greatest(CacheKind.OURS_SHORT_LEASE, MILLIS), LEASE_MILLIS + 100));
		List<Column> columns = List.of(Column.median("ms, median", MILLIS), Column.spread(MILLIS));
		return new ScenarioReport("Cache: a loading JVM is killed",
				"From the `SIGKILL` until a caller in another JVM, which waits, has loaded the entry; the lease is "
						+ LEASE_MILLIS + " ms, " + kills + " kills.",
				Table.of(results, columns), requirements);
	}

	private static Figures kill(WorkerProcess loader, WorkerProcess other, int entry) {
		loader.run(Job.HANG, entry);
		other.begin(Job.READ_ONE, entry);
		LockSupport.parkNanos(
				TimeUnit.MILLISECONDS.toNanos(LEAST_WAIT_MILLIS + ThreadLocalRandom.current().nextInt(LEASE_MILLIS)));
		long killed = System.nanoTime();
		loader.kill();
		return Figures.of(MILLIS, (other.end().get("nanos") - killed) / 1e6);
	}

}
