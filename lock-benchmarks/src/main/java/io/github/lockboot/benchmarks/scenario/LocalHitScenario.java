package io.github.lockboot.benchmarks.scenario;

import java.util.List;

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
 * An entry of which the JVM has a copy.
 */
final class LocalHitScenario implements Scenario {

	private static final String NANOS = "nanos";

	/** So that all of it is compiled at last before it is measured. */
	private static final int READS_PER_MILLI_OF_WARM_UP = 500;

	@Override
	public String id() {
		return "cache-local";
	}

	@Override
	public Chapter run(Lab lab) {
		Lab finer = lab.finer();
		int count = lab.effort().windowMillis() * 100;
		Results results = finer.measure(List.of(CacheKind.OURS_LOCAL, CacheKind.CAFFEINE_BYTES, CacheKind.CAFFEINE), 1,
				(crew) -> read(crew, lab.effort().warmUpMillis() * READS_PER_MILLI_OF_WARM_UP),
				(crew) -> read(crew, count));
		List<Bar> bars = List.of(Bar.atLeast("rate over Caffeine's with bytes and the same codec, at least 0.8",
				results.ratio(NANOS, CacheKind.CAFFEINE_BYTES, CacheKind.OURS_LOCAL), 0.8));
		List<Column> columns = List.of(Column.median("CPU ns each", NANOS), Column.spread(NANOS), Column.ratio(NANOS));
		return new Chapter("Cache: hits of local copies",
				"One thread reads one entry. A value of its own for each caller costs the decoding; Caffeine of"
						+ " objects gives all of them the same, which one may change for the others.",
				Table.of(results, columns), bars);
	}

	private static Figures read(Crew crew, int count) {
		return crew.first().run(Job.READ_ON, count);
	}

}
