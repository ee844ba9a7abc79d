package io.github.lockboot.benchmarks.scenario;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.DoubleStream;

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
 * Callers of two JVMs that all want the same entry at once.
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
	public Chapter run(Lab lab) {
		Results results = lab.measure(CacheMissScenario.GUARDED, JVMS, this::warmUp, (crew) -> round(lab, crew));
		List<Bar> bars = List.of(Bar.atMost("loads, 1", results.greatest(CacheKind.OURS, LOADS), 1),
				Bar.atMost("ms from the end of the load until a caller has the value, p99, at most 50",
						results.median(CacheKind.OURS, P99), 50),
				Bar.atMost("time over Redisson's, at most 1", results.ratio(WALL, CacheKind.OURS, CacheKind.REDISSON),
						1),
				Bar.atMost("commands over Redisson's, at most 0.5",
						results.ratio(COMMANDS, CacheKind.OURS, CacheKind.REDISSON), 0.5));
		List<Column> columns = List.of(Column.median("loads", LOADS), Column.median("ms until all have it", WALL),
				Column.spread(WALL), Column.median("commands", COMMANDS),
				Column.median("ms after the load, median", "p50"), Column.median("p99", P99));
		return new Chapter("Cache: stampede of " + this.callers + " callers in 2 JVMs",
				"All want one entry that is not there and takes " + LOAD_MILLIS
						+ " ms to load. The last columns: from the end of the first load until a caller has its value.",
				Table.of(results, columns), bars);
	}

	private List<Figures> warmUp(Crew crew) {
		for (int i = 0; i < 5; i++) {
			rush(crew, 20);
		}
		return rush(crew, 20);
	}

	private List<Figures> rush(Crew crew, int loadMillis) {
		return crew.run(Job.STAMPEDE, this.callers / JVMS, this.entries.incrementAndGet(), loadMillis);
	}

	private Figures round(Lab lab, Crew crew) {
		long commandsBefore = lab.commands();
		List<Figures> figures = rush(crew, LOAD_MILLIS);
		long commands = lab.commands() - commandsBefore;
		double begun = all(figures, (each) -> DoubleStream.of(each.get("begun"))).min().orElseThrow();
		double loaded = all(figures, (each) -> DoubleStream.of(each.get("loaded"))).min().orElseThrow();
		double[] had = all(figures, StampedeScenario::had).sorted().toArray();
		return Figures.of(LOADS, all(figures, (each) -> DoubleStream.of(each.get(LOADS))).sum())
			.and(WALL, (had[had.length - 1] - begun) / 1e6)
			.and(COMMANDS, commands)
			.and("p50", (had[had.length / 2] - loaded) / 1e6)
			.and(P99, (had[(int) Math.ceil(had.length * 0.99) - 1] - loaded) / 1e6);
	}

	private static DoubleStream had(Figures figures) {
		return figures.values()
			.entrySet()
			.stream()
			.filter((figure) -> figure.getKey().startsWith("had."))
			.mapToDouble((figure) -> figure.getValue());
	}

	private static DoubleStream all(List<Figures> figures, Function<Figures, DoubleStream> values) {
		return figures.stream().flatMapToDouble(values);
	}

}
