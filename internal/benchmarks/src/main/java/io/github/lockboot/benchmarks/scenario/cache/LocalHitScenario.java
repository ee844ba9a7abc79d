package io.github.lockboot.benchmarks.scenario.cache;

import java.util.List;

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
 * One thread that reads an entry of which the JVM has a copy.
 */
final class LocalHitScenario implements Scenario {

	private static final String NANOS = "nanos";

	/** The number of reads of the warm-up, enough for the last compilation. */
	private static final int READS_PER_MILLI_OF_WARM_UP = 500;

	private static final int TURNS = 2000;

	@Override
	public String id() {
		return "cache-local";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		TestBed finer = bed.finer();
		int count = bed.effort().windowMillis() * 100;
		Results results = finer.measure(List.of(CacheKind.OURS_LOCAL, CacheKind.CAFFEINE_BYTES, CacheKind.CAFFEINE), 1,
				(workers) -> read(workers, bed.effort().warmUpMillis() * READS_PER_MILLI_OF_WARM_UP),
				(workers) -> read(workers, count));
		List<Requirement> requirements = List.of(
				Requirement
					.atLeast("rate over Caffeine's with bytes and the same codec, 20 reads each in turn, at least 0.9",
							bed.compare(CacheKind.CAFFEINE_BYTES, CacheKind.OURS_LOCAL, Job.COMPARE_READS, TURNS, 20,
									50),
							0.9)
					.because("a hit also checks the age of its copy, and counts"));
		List<Column> columns = List.of(Column.median("CPU ns each", NANOS), Column.spread(NANOS), Column.ratio(NANOS));
		return new ScenarioReport("Cache: hits of local copies",
				"One thread reads one entry. A value of its own for each caller costs the decoding; Caffeine of"
						+ " objects gives all of them the same, which one may change for the others.",
				Table.of(results, columns), requirements);
	}

	private static Figures read(Workers workers, int count) {
		return workers.first().run(Job.READ_UNTIMED, count);
	}

}
