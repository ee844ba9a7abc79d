package io.github.lockboot.benchmarks.scenario.cache;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.lockboot.benchmarks.cache.CacheKind;
import io.github.lockboot.benchmarks.peer.Kind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;

/**
 * How the cost of a hit grows with the number of entries, and what an entry needs.
 */
final class EntriesScenario implements Scenario {

	private static final String RATE = "rate";

	private static final String REDIS_CPU = "cpu";

	/** Entries that are loaded by one job. */
	private static final int PART = 10_000;

	private final int entries;

	EntriesScenario(int entries) {
		this.entries = entries;
	}

	@Override
	public String id() {
		return "cache-entries-" + this.entries;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Effort effort = bed.effort();
		int count = Math.min(this.entries, effort.locks() * effort.rounds() * 2);
		Map<Kind, Figures> memory = new HashMap<>();
		Results results = bed.measure(List.of(CacheKind.OURS, CacheKind.SPRING, CacheKind.REDISSON), 1,
				(workers) -> memory.put(workers.kind(), fill(bed, workers.first(), count)),
				(workers) -> read(bed, workers.first(), count));
		List<Column> columns = List.of(Column.median("reads/s", RATE), Column.spread(RATE), Column.ratio(RATE),
				Column.median("CPU us each, Redis", REDIS_CPU), Column.median("p50 us", "p50"),
				Column.median("p99 us", "p99"), Column.median("p99.9 us", "p999"),
				memory("Redis bytes per entry", memory, "redis"), memory("heap bytes per entry", memory, "heap"));
		return new ScenarioReport("Cache: " + String.format("%,d", this.entries) + " entries",
				"One thread reads entries at random. Memory that Redis reports, and heap after a collection.",
				Table.of(results, columns), List.of());
	}

	private static Column memory(String title, Map<Kind, Figures> memory, String figure) {
		return new Column(title,
				(results, peer) -> Numbers.brief(Objects.requireNonNull(memory.get(peer)).get(figure)));
	}

	private static Figures fill(TestBed bed, WorkerProcess worker, int count) {
		worker.run(Job.READ, 1);
		double heap = worker.run(Job.HEAP).get("bytes");
		double redis = bed.datasetBytes();
		for (int first = 0; first < count; first += PART) {
			worker.run(Job.MISS, Math.min(PART, count - first), first);
		}
		Figures memory = Figures.of("heap", (worker.run(Job.HEAP).get("bytes") - heap) / count)
			.and("redis", (bed.datasetBytes() - redis) / count);
		read(bed, worker, count);
		return memory;
	}

	private static Figures read(TestBed bed, WorkerProcess worker, int count) {
		int reads = bed.effort().windowMillis() * 4;
		double micros = bed.redisCpuMicros();
		Figures figures = worker.run(Job.READ, reads, count);
		return figures.and(REDIS_CPU, (bed.redisCpuMicros() - micros) / reads);
	}

}
