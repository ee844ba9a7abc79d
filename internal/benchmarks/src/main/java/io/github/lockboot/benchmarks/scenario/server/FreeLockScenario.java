package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Ratios;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.WorkerProcess;

/**
 * One thread with a lock that is always free.
 *
 * @param least the required rate over that of the second peer
 */
record FreeLockScenario(Server server, String overFloor, double least) implements Scenario {

	private static final String RATE = "rate";

	private static final String COUNTED = "counted";

	@Override
	public String id() {
		return this.server.id() + "-free";
	}

	@Override
	public ScenarioReport run(TestBed redis) {
		TestBed bed = redis.at(this.server.address()).finer();
		List<PeerKind> peers = this.server.peers();
		Ratios ratios = bed.compare(peers.get(0), peers.get(1), Job.COMPARE_RATES, 1, 1, Effort.SLICE_MILLIS);
		Effort effort = bed.effort();
		Results results = bed.measure(peers, 1, (workers) -> workers.run(Job.THROUGHPUT, 1, 1, effort.warmUpMillis()),
				(workers) -> round(workers.first(), effort.windowMillis()));
		List<Column> columns = List.of(Column.median("sections/s", RATE), Column.spread(RATE), Column.ratio(RATE),
				Column.median(this.server.unit() + " per section", COUNTED), Column.median("CPU us each, JVM", "cpu"));
		Requirement overFloor = Requirement.atLeast(this.overFloor, ratios, this.least);
		return new ScenarioReport(this.server.label() + ", 1 thread, 1 free lock",
				"Acquires and releases the lock repeatedly." + ((this.server == Ensemble.ZOOKEEPER) ? ""
						: " In PostgreSQL our release does not wait for the disk, nor does that of the bare statements."),
				Table.of(results, columns),
				List.of((this.server instanceof Database)
						? overFloor
							.because("the token, the deadline and the listeners of a section take time of the JVM")
						: overFloor));
	}

	private Figures round(WorkerProcess worker, int millis) {
		long before = this.server.count();
		Figures figures = worker.run(Job.THROUGHPUT, 1, 1, millis);
		double counted = this.server.countSince(before);
		return figures.and(COUNTED, counted / Math.max(1, figures.get("sections")));
	}

}
