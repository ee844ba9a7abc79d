package io.github.lockboot.benchmarks.scenario.cache;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.DoubleStream;

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
 * Callers of two JVMs that all read the same missing entry at once.
 */
final class StampedeScenario implements Scenario {

	private static final int JVMS = 2;

	private static final int LOAD_MILLIS = 300;

	private static final String LOADS = "loads";

	private static final String WALL = "wall";

	private static final String COMMANDS = "commands";

	private static final String P99 = "p99";

	private final int callers;

	private final AtomicInteger entries = new AtomicInteger();

	StampedeScenario(int callers) {
		this.callers = callers;
	}

	@Override
	public String id() {
		return "cache-stampede-" + this.callers;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = bed.measure(CacheMissScenario.GUARDED, JVMS, this::warmUp, (workers) -> round(bed, workers));
		List<Requirement> requirements = List.of(
				Requirement.atMost("loads, 1", results.greatest(CacheKind.OURS, LOADS), 1),
				Requirement.atMost("ms from the end of the load until a caller has the value, p99, at most 50",
						results.median(CacheKind.OURS, P99), 50),
				Requirement.atMost("time of the slowest caller over that of the load, at most 1.5",
						results.greatest(CacheKind.OURS, WALL) / LOAD_MILLIS, 1.5),
				Requirement.atMost("time over Redisson's, at most 1",
						results.ratio(WALL, CacheKind.OURS, CacheKind.REDISSON), 1),
				Requirement.atMost("commands over Redisson's, at most 0.5",
						results.ratio(COMMANDS, CacheKind.OURS, CacheKind.REDISSON), 0.5));
		List<Column> columns = List.of(Column.median("loads", LOADS),
				Column.median("ms until all have the value", WALL), Column.spread(WALL),
				Column.median("commands", COMMANDS), Column.median("ms after the load, median", "p50"),
				Column.median("p99", P99));
		return new ScenarioReport("Cache: stampede of " + this.callers + " callers in 2 JVMs",
				"All read one missing entry, whose load takes " + LOAD_MILLIS
						+ " ms. The last columns: from the end of the first load until a caller has its value.",
				Table.of(results, columns), requirements);
	}

	private List<Figures> warmUp(Workers workers) {
		for (int i = 0; i < 5; i++) {
			rush(workers, 20);
		}
		return rush(workers, 20);
	}

	private List<Figures> rush(Workers workers, int loadMillis) {
		return workers.run(Job.STAMPEDE, this.callers / JVMS, this.entries.incrementAndGet(), loadMillis);
	}

	private Figures round(TestBed bed, Workers workers) {
		long commandsBefore = bed.commands();
		List<Figures> figures = rush(workers, LOAD_MILLIS);
		long commands = bed.commands() - commandsBefore;
		double begun = all(figures, (each) -> DoubleStream.of(each.get("begun"))).min().orElseThrow();
		double loaded = all(figures, (each) -> DoubleStream.of(each.get("loaded"))).min().orElseThrow();
		double[] ends = all(figures, StampedeScenario::ends).sorted().toArray();
		return Figures.of(LOADS, all(figures, (each) -> DoubleStream.of(each.get(LOADS))).sum())
			.and(WALL, (ends[ends.length - 1] - begun) / 1e6)
			.and(COMMANDS, commands)
			.and("p50", (ends[ends.length / 2] - loaded) / 1e6)
			.and(P99, (ends[(int) Math.ceil(ends.length * 0.99) - 1] - loaded) / 1e6);
	}

	private static DoubleStream ends(Figures figures) {
		return figures.values()
			.entrySet()
			.stream()
			.filter((figure) -> figure.getKey().startsWith("end."))
			.mapToDouble((figure) -> figure.getValue());
	}

	private static DoubleStream all(List<Figures> figures, Function<Figures, DoubleStream> values) {
		return figures.stream().flatMapToDouble(values);
	}

}
