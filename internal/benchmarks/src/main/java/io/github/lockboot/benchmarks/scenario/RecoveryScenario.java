package io.github.lockboot.benchmarks.scenario;

import java.util.List;
import java.util.concurrent.TimeUnit;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Column;
import io.github.lockboot.benchmarks.report.Figures;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;
import io.github.lockboot.benchmarks.work.Job;
import io.github.lockboot.benchmarks.work.Pause;
import io.github.lockboot.benchmarks.work.Workers;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

/**
 * Redis is killed while locks are acquired, and is started again empty.
 */
final class RecoveryScenario implements Scenario {

	private static final String FIRST = "first";

	private static final String NORMAL = "normal";

	private static final String SCRIPTS = "scripts";

	/** How many locks are tried each second. */
	private static final int RATE = 600;

	@Override
	public String id() {
		return "recovery";
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		int downMillis = 40 * bed.effort().watchMillis() / 32;
		try (RedisServer redis = RedisFixture.newServer()) {
			TestBed outage = new TestBed(redis, bed.effort());
			Results results = outage.measureOnce(List.of(PeerKind.OURS_TRYING, PeerKind.REDISSON_TRYING),
					Effort.timed(), (workers) -> watch(outage, workers, downMillis));
			List<Requirement> requirements = List.of(Requirement.atMost("seconds until the normal rate, at most 2",
					results.median(PeerKind.OURS_TRYING, NORMAL), 2));
			List<Column> columns = List.of(Column.median("s until the first lock", FIRST),
					Column.median("s until the normal rate", NORMAL), Column.median("scripts per lock", SCRIPTS));
			return new ScenarioReport(String.format("Redis is down for %.0f s", downMillis / 1e3), RATE
					+ " locks a second are tried once each, all of different names, by 256 threads. Redis is killed and"
					+ " started again, empty: from then until the first acquisition, and until three seconds"
					+ " begin that have 95 % of their locks; and the scripts that Redis runs for each lock from then on.",
					Table.of(results, columns), requirements);
		}
	}

	private Figures watch(TestBed bed, Workers workers, int downMillis) {
		int beforeMillis = 3000;
		int afterMillis = 5000 + bed.effort().watchMillis() / 2;
		workers.first().begin(Job.RECOVER, RATE, beforeMillis + downMillis + afterMillis);
		Pause.of(TimeUnit.MILLISECONDS.toNanos(beforeMillis));
		bed.redis().kill();
		Pause.of(TimeUnit.MILLISECONDS.toNanos(downMillis));
		bed.redis().start();
		long back = System.nanoTime();
		Figures seen = workers.first().end();
		return Figures.of(FIRST, (seen.get("first") - back) / 1e9)
			.and(NORMAL, (seen.get("normal") - back) / 1e9)
			.and(SCRIPTS, bed.scripts() / Math.max(1, seen.get("sections")));
	}

}
