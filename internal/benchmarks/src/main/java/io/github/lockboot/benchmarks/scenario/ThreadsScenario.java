package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Threads of one JVM that acquire and release locks.
 */
abstract class ThreadsScenario implements Scenario {

	static final List<PeerKind> WAITING = List.of(PeerKind.OURS, PeerKind.OURS_CONFIRMED, PeerKind.OURS_FAIR,
			PeerKind.OURS_FAIR_CONFIRMED, PeerKind.REDISSON, PeerKind.REDISSON_FAIR, PeerKind.INTEGRATION_SPIN,
			PeerKind.INTEGRATION_PUBSUB, PeerKind.LOCK4J);

	static final String RATE = "rate";

	/** The time from the request until the section begins. */
	static final List<Column> WAITS = List.of(Column.median("ms until a section begins, p50", "p50"),
			Column.median("p99", "p99"), Column.median("p99.9", "p999"));

	private final int threads;

	private final int locks;

	/**
	 * Create a scenario.
	 * @param locks how many locks they share
	 */
	ThreadsScenario(int threads, int locks) {
		this.threads = threads;
		this.locks = locks;
	}

	int threads() {
		return this.threads;
	}

	int locks() {
		return this.locks;
	}

	@Override
	public String id() {
		return "threads-" + this.threads + "-locks-" + this.locks;
	}

	Results measure(TestBed bed) {
		Effort effort = bed.effort();
		return bed.measure(peers(), 1,
				(workers) -> workers.run(Job.THROUGHPUT, this.threads, this.locks, effort.warmUpMillis(), workMicros()),
				(workers) -> round(bed, workers));
	}

	Figures round(TestBed bed, Workers workers) {
		double redisBefore = bed.redisCpuMicros();
		Figures figures = workers.first()
			.run(Job.THROUGHPUT, this.threads, this.locks, bed.effort().windowMillis(), workMicros());
		double redis = bed.redisCpuMicros() - redisBefore;
		return figures.and("redis", redis / Math.max(1, figures.get("sections")));
	}

	/** Return how long each section takes without using the processor. */
	int workMicros() {
		return 0;
	}

	List<Column> columns() {
		return List.of(Column.median("sections/s", RATE), Column.spread(RATE), Column.ratio(RATE),
				Column.median("CPU us each, JVM", "cpu"), Column.median("CPU us each, Redis", "redis"));
	}

	abstract List<PeerKind> peers();

}
