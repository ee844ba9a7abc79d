package io.github.lockboot.benchmarks.scenario;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.lockboot.benchmarks.cache.CacheKind;
import io.github.lockboot.benchmarks.report.Bar;
import io.github.lockboot.benchmarks.report.Chapter;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Crew;
import io.github.lockboot.benchmarks.work.Job;

/**
 * Threads of one JVM that all want an entry whose load fails.
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
	public Chapter run(Lab lab) {
		Results results = lab.measure(CacheMissScenario.GUARDED, 1, (crew) -> fail(crew, 5),
				(crew) -> fail(crew, LOAD_MILLIS));
		List<Bar> bars = List.of(Bar.atMost("loads, 1", results.greatest(CacheKind.OURS, LOADS), 1),
				Bar.atMost("ms until all know, at most " + (LOAD_MILLIS + 50), results.median(CacheKind.OURS, MILLIS),
						LOAD_MILLIS + 50));
		List<Column> columns = List.of(Column.median("loads", LOADS), Column.median("ms until all know", MILLIS),
				Column.spread(MILLIS));
		return new Chapter("Cache: a load that fails",
				THREADS + " threads want one entry at once, whose load fails after " + LOAD_MILLIS + " ms.",
				Table.of(results, columns), bars);
	}

	private Figures fail(Crew crew, int loadMillis) {
		return crew.first().run(Job.FAIL, THREADS, this.entries.incrementAndGet(), loadMillis);
	}

}
