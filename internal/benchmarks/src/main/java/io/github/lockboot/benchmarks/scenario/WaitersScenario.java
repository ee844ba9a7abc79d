package io.github.lockboot.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Workers;

/**
 * Few or many threads of two JVMs that all want one lock, for a millisecond each. Of the
 * peers only Redisson's lock is measured with a thousand threads, and none with more:
 * their rounds would take minutes. A round of Redisson's fair lock did not end within
 * three minutes. More threads are measured in one round, as it ends when each of them has
 * had the lock.
 */
final class WaitersScenario implements Scenario {

	private static final int JVMS = 2;

	private static final int WORK_MICROS = 1000;

	/** What the effort's number of waiters stands for. */
	private static final int NORMAL = 500;

	private static final int MANY = 1000;

	private static final String RATE = "rate";

	private static final String SHARES = "shares";

	private final int waiters;

	WaitersScenario(int waiters) {
		this.waiters = waiters;
	}

	@Override
	public String id() {
		return "waiters-" + this.waiters;
	}

	private List<PeerKind> peers() {
		List<PeerKind> peers = new ArrayList<>(List.of(PeerKind.OURS, PeerKind.OURS_CONFIRMED, PeerKind.OURS_FAIR));
		if (this.waiters <= MANY) {
			peers.add(PeerKind.REDISSON);
		}
		if (this.waiters <= 100) {
			peers.addAll(List.of(PeerKind.REDISSON_FAIR, PeerKind.INTEGRATION_SPIN, PeerKind.INTEGRATION_PUBSUB,
					PeerKind.LOCK4J));
		}
		return peers;
	}

	@Override
	public ScenarioReport run(TestBed all) {
		TestBed bed = (this.waiters <= MANY) ? all : new TestBed(all.redis(), all.effort().once());
		int threads = Math.max(1, (int) ((long) this.waiters * bed.effort().waiters() / NORMAL) / JVMS);
		Results results = bed.measure(peers(), JVMS, (workers) -> workers.run(Job.THROUGHPUT, Math.min(threads, 50), 1,
				bed.effort().warmUpMillis(), WORK_MICROS), (workers) -> round(bed, workers, threads));
		List<Column> columns = new ArrayList<>(List.of(Column.median("sections/s, all JVMs", RATE), Column.spread(RATE),
				Column.ratio(RATE), Column.median("scripts per section", "scripts"),
				Column.median("commands per section", "commands"), Column.median("CPU us each, Redis", "redis"),
				Column.median("least share of a JVM / greatest", SHARES)));
		columns.addAll(ThreadsScenario.WAITS);
		return new ScenarioReport(
				String.format("%,d threads of 2 JVMs, one lock, 1 ms of work in each section", this.waiters),
				"All threads use the same lock all the time. Commands are those that Redis runs, within scripts too.",
				Table.of(results, columns), List.of());
	}

	private Figures round(TestBed bed, Workers workers, int threads) {
		long scriptsBefore = bed.scripts();
		long commandsBefore = bed.commands();
		double redisBefore = bed.redisCpuMicros();
		List<Figures> figures = workers.run(Job.THROUGHPUT, threads, 1, bed.effort().windowMillis(), WORK_MICROS);
		double sections = Math.max(1, all(figures, "sections").sum());
		return Figures.of(RATE, all(figures, RATE).sum())
			.and("scripts", (bed.scripts() - scriptsBefore) / sections)
			.and("commands", (bed.commands() - commandsBefore) / sections)
			.and("redis", (bed.redisCpuMicros() - redisBefore) / sections)
			.and(SHARES, all(figures, RATE).min().orElse(0) / Math.max(1, all(figures, RATE).max().orElse(1)))
			.and("p50", all(figures, "p50").max().orElse(0))
			.and("p99", all(figures, "p99").max().orElse(0))
			.and("p999", all(figures, "p999").max().orElse(0));
	}

	private static DoubleStream all(List<Figures> figures, String name) {
		return figures.stream().mapToDouble((each) -> each.get(name));
	}

}
