package io.github.lockboot.benchmarks.scenario.cache;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

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
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Threads of one JVM that all read an entry whose load fails.
 */
final class FailingLoadScenario implements Scenario {

	private static final int THREADS = 10;

	private static final int LOAD_MILLIS = 200;

	private static final String LOADS = "loads";

	private static final String MILLIS = "millis";

	private final AtomicInteger entries = new AtomicInteger();

	@Override
	public String id() {
		return "cache-failing";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = bed.measure(CacheMissScenario.GUARDED, 1, (workers) -> fail(workers, 5),
				(workers) -> fail(workers, LOAD_MILLIS));
		List<Requirement> requirements = List.of(
				Requirement.atMost("loads, 1", results.greatest(CacheKind.OURS, LOADS), 1),
				Requirement.atMost("ms until all have the failure, at most " + (LOAD_MILLIS + 50),
						results.median(CacheKind.OURS, MILLIS), LOAD_MILLIS + 50));
		List<Column> columns = List.of(Column.median("loads", LOADS),
				Column.median("ms until all have the failure", MILLIS), Column.spread(MILLIS));
		return new ScenarioReport("Cache: a load that fails",
				THREADS + " threads read one entry at once, whose load fails after " + LOAD_MILLIS + " ms.",
				Table.of(results, columns), requirements);
	}

	private Figures fail(Workers workers, int loadMillis) {
		return workers.first().run(Job.FAIL, THREADS, this.entries.incrementAndGet(), loadMillis);
	}

}
