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
 * Entries that are not there, read one after the other, and what they then take up.
 */
final class CacheMissScenario implements Scenario {

	/** Those that guard a load, ours first. */
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
	public Chapter run(Lab lab) {
		Results results = lab.measure(GUARDED, 1, (crew) -> round(lab, crew), (crew) -> round(lab, crew));
		List<Bar> bars = List.of(
				Bar.atMost("time over Redisson's, at most 1", results.ratio(MICROS, CacheKind.OURS, CacheKind.REDISSON),
						1),
				Bar.atMost("bytes over those of Spring Data Redis, at most 1.25",
						results.ratio(BYTES, CacheKind.OURS, CacheKind.SPRING), 1.25));
		List<Column> columns = List.of(Column.median("us each", MICROS), Column.spread(MICROS), Column.ratio(MICROS),
				Column.median("commands each", COMMANDS), Column.median("bytes per entry", BYTES));
		return new Chapter("Cache: cold misses",
				"One thread wants one new entry after the other; the load takes no time. Commands by `INFO"
						+ " commandstats`, those within scripts included; bytes of Redis, keys included. Spring Data"
						+ " Redis does not wait for its writes.",
				Table.of(results, columns), bars);
	}

	private Figures round(Lab lab, Crew crew) {
		int count = lab.effort().handOvers() * 3;
		double bytesBefore = lab.datasetBytes();
		long commandsBefore = lab.commands();
		Figures figures = crew.first().run(Job.MISS, count, this.entries.getAndAdd(count));
		long commands = lab.commands() - commandsBefore;
		return figures.and(COMMANDS, commands / (double) count).and(BYTES, (lab.datasetBytes() - bytesBefore) / count);
	}

}
