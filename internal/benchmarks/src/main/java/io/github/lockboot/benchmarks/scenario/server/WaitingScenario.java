package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
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
 * Threads of one or several JVMs that all use the same lock.
 *
 * @param workMillis how long each section takes without using the processor
 * @param least the required rate over that of the first peer, or 0
 */
record WaitingScenario(Server server, int jvms, int threads, int workMillis, int least) implements Scenario {

	static final String RATE = "rate";

	static final String COUNTED = "counted";

	private static final String SHARES = "shares";

	@Override
	public String id() {
		return this.server.id() + ((this.jvms == 1) ? "-threads-" + this.threads : "-jvms-" + this.jvms)
				+ ((this.workMillis > 0) ? "-work-" + this.workMillis : "");
	}

	@Override
	public ScenarioReport run(TestBed redis) {
		TestBed bed = redis.contended().at(this.server.address());
		List<PeerKind> peers = this.server.waitingPeers();
		Results results = bed.measure(peers, this.jvms,
				(workers) -> workers.run(Job.THROUGHPUT, this.threads, 1, bed.effort().warmUpMillis(),
						1000 * this.workMillis),
				(workers) -> round(this.server, workers, this.threads, bed.effort().windowMillis(), this.workMillis));
		List<Column> columns = List.of(Column.median("sections/s, all JVMs", RATE), Column.spread(RATE),
				Column.ratio(RATE), Column.median(this.server.unit() + " per section", COUNTED),
				Column.median("least share of a JVM / greatest", SHARES));
		return new ScenarioReport(
				String.format("%s, %d JVM%s of %d threads, one lock, %d ms of work", this.server.label(), this.jvms,
						(this.jvms == 1) ? "" : "s", this.threads, this.workMillis),
				"All threads use the same lock all the time.", Table.of(results, columns),
				(this.least == 0) ? List.of()
						: List.of(Requirement.atLeast(
								"rate over that of " + peers.get(1).label() + ", at least " + this.least,
								results.ratio(RATE, peers.get(0), peers.get(1)), this.least)));
	}

	static Figures round(Server server, Workers workers, int threads, int millis, int workMillis) {
		long before = server.count();
		List<Figures> figures = workers.run(Job.THROUGHPUT, threads, 1, millis, 1000 * workMillis);
		double counted = server.countSince(before);
		double[] rates = figures.stream().mapToDouble((each) -> each.get(RATE)).sorted().toArray();
		double sections = figures.stream().mapToDouble((each) -> each.get("sections")).sum();
		double rate = figures.stream().mapToDouble((each) -> each.get(RATE)).sum();
		return Figures.of(RATE, rate)
			.and(COUNTED, counted / Math.max(1, sections))
			.and(SHARES, rates[0] / Math.max(1, rates[rates.length - 1]));
	}

}
