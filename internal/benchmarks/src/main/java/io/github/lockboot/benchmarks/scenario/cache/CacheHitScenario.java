package io.github.lockboot.benchmarks.scenario.cache;

import java.util.List;

import io.github.lockboot.benchmarks.cache.CacheKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Threads of one JVM that read existing entries, each thread its own entry.
 */
record CacheHitScenario(int threads) implements Scenario {

	private static final String RATE = "rate";

	private static final String MEDIAN = "p50";

	/** Enough for the 99th percentile to be that of many reads. */
	private static final int TIMED = 2_000;

	@Override
	public String id() {
		return "cache-hit-" + this.threads;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		TestBed finer = bed.finer();
		Results results = finer.measure(
				List.of(CacheKind.OURS, CacheKind.BARE, CacheKind.SPRING, CacheKind.SPRING_LOCKING, CacheKind.REDISSON,
						CacheKind.JETCACHE),
				1, (workers) -> workers.run(Job.THROUGHPUT, this.threads, this.threads, bed.effort().warmUpMillis()),
				(workers) -> round(finer, workers));
		List<Requirement> requirements = (this.threads == 1)
				? List.of(
						inTurns(bed, CacheKind.OURS, "", 0.96)
							.because("a hit also checks the age and the checksum of its entry, and counts"),
						inTurns(bed, CacheKind.SPRING, " (Spring Data Redis, which ours has to reach)", 0),
						Requirement.atLeast("p99 of the floor over ours, one read each in turn, at least 0.9",
								bed.compare(CacheKind.BARE, CacheKind.OURS, Job.COMPARE_READS, TIMED, 1, 99), 0.9))
				: List.of(Requirement.atLeast(
						"rate over the floor's, slices in turn, at least 0.97", bed.compare(CacheKind.OURS,
								CacheKind.BARE, Job.COMPARE_RATES, this.threads, this.threads, Effort.SLICE_MILLIS),
						0.97));
		List<Column> columns = List.of(Column.median("reads/s", RATE), Column.spread(RATE), Column.ratio(RATE),
				Column.median("CPU us each, JVM", "cpu"), Column.median("CPU us each, Redis", "redis"),
				Column.median("lone read, median us", MEDIAN), Column.median("p99 us", "p99"));
		return new ScenarioReport("Cache: hits, " + ((this.threads == 1) ? "1 thread" : this.threads + " threads"),
				"Each thread repeatedly reads its own entry; the other columns show the times of reads of one thread.",
				Table.of(results, columns), requirements);
	}

	private static Requirement inTurns(TestBed bed, CacheKind kind, String whose, double least) {
		return Requirement.atLeast("rate over the floor's" + whose + ", one read each in turn, at least " + least,
				bed.compare(CacheKind.BARE, kind, Job.COMPARE_READS, 500, 1, 50), least);
	}

	private Figures round(TestBed bed, Workers workers) {
		double redisBefore = bed.redisCpuMicros();
		Figures rate = workers.first().run(Job.THROUGHPUT, this.threads, this.threads, bed.effort().windowMillis());
		double redis = bed.redisCpuMicros() - redisBefore;
		Figures times = workers.first().run(Job.READ, TIMED);
		return rate.and("redis", redis / Math.max(1, rate.get("sections")))
			.and(MEDIAN, times.get(MEDIAN))
			.and("p99", times.get("p99"));
	}

}
