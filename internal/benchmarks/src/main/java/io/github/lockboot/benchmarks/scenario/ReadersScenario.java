package io.github.lockboot.benchmarks.scenario;

import java.util.List;

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
 * Many readers in one JVM and one writer in another, all of the same lock.
 */
final class ReadersScenario implements Scenario {

	private static final int READERS = 64;

	private static final String READS = "reads";

	private static final String WRITES = "writes";

	private static final PeerKind OURS = PeerKind.OURS_READERS;

	private static final PeerKind REDISSON = PeerKind.REDISSON_READERS;

	@Override
	public String id() {
		return "readers-" + READERS;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = new Results();
		Effort effort = bed.effort().contended();
		try (Pair ours = Pair.start(bed, OURS, PeerKind.OURS);
				Pair redissons = Pair.start(bed, REDISSON, PeerKind.REDISSON_WRITER)) {
			List.of(ours, redissons).forEach((pair) -> pair.work(effort.warmUpMillis()));
			for (int i = 0; i < effort.rounds(); i++) {
				results.add(OURS, ours.work(effort.windowMillis()));
				results.add(REDISSON, redissons.work(effort.windowMillis()));
			}
		}
		List<Column> columns = List.of(Column.median("reads/s", READS), Column.spread(READS), Column.ratio(READS),
				Column.median("writes/s", WRITES), Column.spread(WRITES), Column.ratio(WRITES));
		return new ScenarioReport(READERS + " readers, 1 writer",
				"The readers are threads of one JVM, the writer is another JVM; all use the same lock all the time.",
				Table.of(results, columns),
				List.of(Requirement.atLeast("reads over Redisson's, at least 1", results.ratio(READS, OURS, REDISSON),
						1),
						Requirement.atLeast("writes over Redisson's, at least 1", results.ratio(WRITES, OURS, REDISSON),
								1)));
	}

	/** The two JVMs of one kind. */
	private record Pair(Workers readers, Workers writer) implements AutoCloseable {

		static Pair start(TestBed bed, PeerKind readers, PeerKind writer) {
			return new Pair(Workers.start(1, Effort.timed(), readers, bed.address()),
					Workers.start(1, Effort.timed(), writer, bed.address()));
		}

		Figures work(int millis) {
			this.readers.first().begin(Job.THROUGHPUT, READERS, 1, millis);
			this.writer.first().begin(Job.THROUGHPUT, 1, 1, millis);
			return Figures.of(READS, this.readers.first().end().get("rate"))
				.and(WRITES, this.writer.first().end().get("rate"));
		}

		@Override
		public void close() {
			this.readers.close();
			this.writer.close();
		}

	}

}
