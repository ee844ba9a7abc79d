package io.github.lockboot.benchmarks.scenario;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Several JVMs whose threads all use the same lock.
 */
final class JvmsScenario implements Scenario {

	private static final int THREADS = 8;

	private static final String RATE = "rate";

	private static final String SCRIPTS = "scripts";

	private static final String SHARES = "shares";

	private final int jvms;

	private final boolean fair;

	private final int workMillis;

	JvmsScenario(int jvms, boolean fair, int workMillis) {
		this.jvms = jvms;
		this.fair = fair;
		this.workMillis = workMillis;
	}

	@Override
	public String id() {
		return "jvms-" + this.jvms + (this.fair ? "-fair" : "")
				+ ((this.workMillis > 0) ? "-work-" + this.workMillis : "");
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		List<PeerKind> peers = this.fair
				? List.of(PeerKind.OURS_FAIR, PeerKind.OURS_FAIR_CONFIRMED, PeerKind.REDISSON_FAIR)
				: ThreadsScenario.WAITING;
		Effort effort = bed.effort();
		Results results = bed.measure(peers, this.jvms,
				(workers) -> workers.run(Job.THROUGHPUT, THREADS, 1, effort.warmUpMillis(), 1000 * this.workMillis),
				(workers) -> round(bed, workers));
		List<Column> columns = List.of(Column.median("sections/s, all JVMs", RATE), Column.spread(RATE),
				Column.ratio(RATE), Column.median("scripts per section", SCRIPTS),
				Column.median("least share of a JVM / greatest", SHARES));
		return new ScenarioReport(
				this.jvms + " JVMs of " + THREADS + " threads, one lock" + (this.fair ? ", fair" : "")
						+ ((this.workMillis > 0) ? ", " + this.workMillis + " ms of work in each section" : ""),
				"All threads of all JVMs use the same lock all the time.", Table.of(results, columns),
				requirements(results));
	}

	private Figures round(TestBed bed, Workers workers) {
		long scriptsBefore = bed.scripts();
		List<Figures> figures = workers.run(Job.THROUGHPUT, THREADS, 1, bed.effort().windowMillis(),
				1000 * this.workMillis);
		long scripts = bed.scripts() - scriptsBefore;
		double rate = stream(figures, (each) -> each.get(RATE)).sum();
		double sections = stream(figures, (each) -> each.get("sections")).sum();
		double least = stream(figures, (each) -> each.get(RATE)).min().orElse(0);
		double greatest = stream(figures, (each) -> each.get(RATE)).max().orElse(1);
		return Figures.of(RATE, rate)
			.and(SCRIPTS, scripts / Math.max(1, sections))
			.and(SHARES, least / Math.max(1, greatest));
	}

	private static DoubleStream stream(List<Figures> figures, ToDoubleFunction<Figures> value) {
		return figures.stream().mapToDouble(value);
	}

	private List<Requirement> requirements(Results results) {
		if (this.workMillis > 0) {
			return List.of();
		}
		return this.fair ? fairRequirements(results) : List.of(
				Requirement.atLeast("rate over Redisson's, at least 40",
						results.ratio(RATE, PeerKind.OURS, PeerKind.REDISSON), 40),
				Requirement.atMost("scripts per section, at most 0.3", results.median(PeerKind.OURS, SCRIPTS), 0.3),
				Requirement.atLeast("least share of a JVM over the greatest, at least 0.8",
						results.median(PeerKind.OURS, SHARES), 0.8));
	}

	private static List<Requirement> fairRequirements(Results results) {
		return List.of(Requirement.atLeast("rate over Redisson's fair lock's, at least 3",
				results.ratio(RATE, PeerKind.OURS_FAIR, PeerKind.REDISSON_FAIR), 3));
	}

}
