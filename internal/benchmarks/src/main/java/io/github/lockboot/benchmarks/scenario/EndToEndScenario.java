package io.github.lockboot.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.peer.RedisAddress;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Workers;
import io.github.lockboot.fixture.RedisProxy;

/**
 * One thread and its free lock, by annotated methods and in code, on this machine or over
 * a network.
 */
final class EndToEndScenario extends ThreadsScenario {

	/** The time of a message in each direction. */
	private static final Duration ONE_WAY = Duration.ofMillis(1);

	private final boolean remote;

	/**
	 * Create a scenario.
	 * @param remote whether a network delays requests and replies
	 */
	EndToEndScenario(boolean remote) {
		super(1, 1);
		this.remote = remote;
	}

	@Override
	public String id() {
		return this.remote ? "end-to-end-network" : "end-to-end";
	}

	@Override
	List<PeerKind> peers() {
		return List.of(PeerKind.OURS_ANNOTATED, PeerKind.OURS, PeerKind.OURS_CONFIRMED, PeerKind.LOCK4J_ANNOTATED,
				PeerKind.LOCK4J, PeerKind.REDISSON, PeerKind.INTEGRATION_SPIN, PeerKind.INTEGRATION_PUBSUB);
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		if (!this.remote) {
			return report(measure(bed));
		}
		try (RedisProxy network = new RedisProxy(bed.redis())) {
			network.delayAnswers(ONE_WAY.multipliedBy(2));
			return report(measure(bed.at(new RedisAddress("127.0.0.1", network.port()).uri())));
		}
	}

	/** Count the commands in scripts, too, and the bytes of requests and replies. */
	@Override
	Figures round(TestBed bed, Workers workers) {
		long commands = bed.commands();
		double bytes = bed.bytesOnTheWire();
		Figures figures = super.round(bed, workers);
		double sections = Math.max(1, figures.get("sections"));
		return figures.and("commands", (bed.commands() - commands) / sections)
			.and("bytes", (bed.bytesOnTheWire() - bytes) / sections);
	}

	private ScenarioReport report(Results results) {
		List<Column> columns = new ArrayList<>(columns());
		columns.add(Column.median("commands each", "commands"));
		columns.add(Column.median("bytes each", "bytes"));
		columns.add(Column.median("p50, ms", "p50"));
		columns.add(Column.median("p99", "p99"));
		return new ScenarioReport("1 free lock, by an annotated method" + (this.remote ? ", over a network" : ""),
				"Calls a method repeatedly: with `@DistributedLock` and Micrometer's meters, with `@Lock4j`, and in code."
						+ " Commands are all that Redis runs, those in scripts included; bytes are those of requests and"
						+ " replies; p50 and p99 are of the time until the section begins."
						+ (this.remote
								? " A proxy delays each reply by 2 ms, as a network does that takes 1 ms each way."
								: ""),
				Table.of(results, columns),
				List.of(Requirement.atLeast("rate over `@Lock4j`'s, at least 1",
						results.ratio(RATE, PeerKind.OURS_ANNOTATED, PeerKind.LOCK4J_ANNOTATED), 1),
						Requirement.atLeast("rate over Redisson's in code, at least 1",
								results.ratio(RATE, PeerKind.OURS_ANNOTATED, PeerKind.REDISSON), 1)));
	}

}
