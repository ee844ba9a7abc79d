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
 * Missing entries that are read one after the other, and the memory that the entries then
 * use.
 */
final class CacheMissScenario implements Scenario {

	/** The kinds that guard a load, this library first. */
	static final List<CacheKind> GUARDED = List.of(CacheKind.OURS, CacheKind.SPRING, CacheKind.SPRING_LOCKING,
			CacheKind.REDISSON, CacheKind.JETCACHE);

	private static final String MICROS = "micros";

	private static final String COMMANDS = "commands";

	private static final String BYTES = "bytes";

	private final AtomicInteger entries = new AtomicInteger();

	@Override
	public String id() {
		return "cache-miss";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = bed.measure(GUARDED, 1, (workers) -> round(bed, workers), (workers) -> round(bed, workers));
		List<Requirement> requirements = List.of(
				Requirement.atMost("time over Redisson's, at most 1",
						results.ratio(MICROS, CacheKind.OURS, CacheKind.REDISSON), 1),
				Requirement.atMost("bytes over those of Spring Data Redis, at most 1.25",
						results.ratio(BYTES, CacheKind.OURS, CacheKind.SPRING), 1.25));
		List<Column> columns = List.of(Column.median("us each", MICROS), Column.spread(MICROS), Column.ratio(MICROS),
				Column.median("commands each", COMMANDS), Column.median("bytes per entry", BYTES));
		return new ScenarioReport("Cache: cold misses",
				"One thread reads one missing entry after the other; the load takes no time. Commands by `INFO"
						+ " commandstats`, those within scripts included; bytes of Redis, keys included. Spring Data"
						+ " Redis does not wait for its writes.",
				Table.of(results, columns), requirements);
	}

	private Figures round(TestBed bed, Workers workers) {
		int count = bed.effort().handOvers() * 3;
		double bytesBefore = bed.datasetBytes();
		long commandsBefore = bed.commands();
		Figures figures = workers.first().run(Job.MISS, count, this.entries.getAndAdd(count));
		long commands = bed.commands() - commandsBefore;
		return figures.and(COMMANDS, commands / (double) count).and(BYTES, (bed.datasetBytes() - bytesBefore) / count);
	}

}
