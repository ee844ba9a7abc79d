package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Instances of one thread each, with a client of their own, that all use the same lock:
 * nothing can be passed on inside an instance. Up to 2 JVMs share the instances, because
 * 32 JVMs on few processors would measure their JIT compilers.
 *
 * @param workMillis how long each section takes without using the processor
 */
record InstancesScenario(int instances, int workMillis) implements Scenario {

	private static final String RATE = "rate";

	private static final String SHARES = "shares";

	@Override
	public String id() {
		return "instances-" + this.instances + ((this.workMillis > 0) ? "-work-" + this.workMillis : "");
	}

	@Override
	public ScenarioReport run(TestBed server) {
		int jvms = Math.min(2, this.instances);
		int each = this.instances / jvms;
		TestBed bed = server.contended().instances(each);
		Results results = bed.measure(ThreadsScenario.WAITING, jvms,
				(workers) -> workers.run(Job.THROUGHPUT, each, 1, bed.effort().warmUpMillis(), 1000 * this.workMillis),
				(workers) -> round(bed, workers, each));
		List<Column> columns = new ArrayList<>(List.of(Column.median("sections/s, all instances", RATE),
				Column.spread(RATE), Column.ratio(RATE), Column.median("scripts per section", "scripts"),
				Column.median("commands per section", "commands"), Column.median("CPU us each, Redis", "redis"),
				Column.median("least share of an instance / greatest", SHARES),
				Column.median("instances without a section", "without")));
		columns.addAll(ThreadsScenario.WAITS);
		columns.add(Column.median("longest", "longest"));
		return new ScenarioReport(
				Numbers.count(this.instances, "instance") + " of one thread, one lock, "
						+ ((this.workMillis > 0) ? this.workMillis + " ms of work" : "no work") + " in each section",
				"All instances use the same lock all the time, each with a client of its own"
						+ ((each > 1) ? ", in " + jvms + " JVMs of " + each + " instances" : "") + ". Each round lasts "
						+ bed.effort().windowMillis() / 1000
						+ " s. Commands are those that Redis runs, within scripts too.",
				Table.of(results, columns),
				(this.instances < 8) ? List.of()
						: List.of(
								Requirement.atLeast("rate over the fastest peer's, at least 1",
										results.median(PeerKind.OURS, RATE) / fastestPeer(results), 1),
								Requirement.atLeast("least share of an instance over the greatest, at least 0.8",
										results.median(PeerKind.OURS, SHARES), 0.8)));
	}

	private Figures round(TestBed bed, Workers workers, int threads) {
		long scriptsBefore = bed.scripts();
		long commandsBefore = bed.commands();
		double redisBefore = bed.redisCpuMicros();
		List<Figures> figures = workers.run(Job.THROUGHPUT, threads, 1, bed.effort().windowMillis(),
				1000 * this.workMillis);
		double sections = Math.max(1, all(figures, (each) -> each.get("sections")).sum());
		return Figures.of(RATE, all(figures, (each) -> each.get(RATE)).sum())
			.and("redis", (bed.redisCpuMicros() - redisBefore) / sections)
			.and("commands", (bed.commands() - commandsBefore) / sections)
			.and("scripts", (bed.scripts() - scriptsBefore) / sections)
			.and(SHARES,
					all(figures, (each) -> each.get("least")).min().orElse(0)
							/ Math.max(1, all(figures, (each) -> each.get("greatest")).max().orElse(1)))
			.and("without", all(figures, (each) -> each.get("without")).sum())
			.and("longest", all(figures, (each) -> each.get("longest")).max().orElse(0))
			.and("p50", all(figures, (each) -> each.get("p50")).max().orElse(0))
			.and("p99", all(figures, (each) -> each.get("p99")).max().orElse(0))
			.and("p999", all(figures, (each) -> each.get("p999")).max().orElse(0));
	}

	private static DoubleStream all(List<Figures> figures, ToDoubleFunction<Figures> value) {
		return figures.stream().mapToDouble(value);
	}

	private static double fastestPeer(Results results) {
		return results.peers()
			.stream()
			.filter((peer) -> !peer.name().startsWith("OURS"))
			.mapToDouble((peer) -> results.median(peer, RATE))
			.max()
			.orElseThrow();
	}

}
