package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
import io.github.lockboot.benchmarks.report.Numbers;
import io.github.lockboot.benchmarks.report.Requirement;
import io.github.lockboot.benchmarks.report.Results;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.report.Table;

/**
 * A kind of lock that, apart from this library, only Redisson has.
 */
class BesideRedissonScenario extends ThreadsScenario {

	private final String id;

	private final String title;

	private final List<PeerKind> peers;

	/**
	 * Create a scenario.
	 * @param id the word that selects the scenario
	 * @param peers the kind of this library, the same with confirmed releases, and
	 * Redisson's
	 * @param locks how many locks they share
	 */
	BesideRedissonScenario(String id, String title, List<PeerKind> peers, int threads, int locks) {
		super(threads, locks);
		this.id = id;
		this.title = title;
		this.peers = peers;
	}

	static BesideRedissonScenario semaphore(int threads) {
		return new BesideRedissonScenario("semaphore-" + threads,
				Numbers.count(threads, "thread") + ", a semaphore of 4 permits",
				List.of(PeerKind.OURS_SEMAPHORE, PeerKind.OURS_SEMAPHORE_CONFIRMED, PeerKind.REDISSON_SEMAPHORE),
				threads, 1);
	}

	static BesideRedissonScenario several(int threads) {
		return new BesideRedissonScenario("several-" + threads, Numbers.count(threads, "thread") + ", 3 locks at once",
				List.of(PeerKind.OURS_SEVERAL, PeerKind.OURS_SEVERAL_CONFIRMED, PeerKind.REDISSON_MULTI), threads, 1);
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	List<PeerKind> peers() {
		return this.peers;
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = measure((threads() == 1) ? bed.finer() : (threads() > locks()) ? bed.contended() : bed);
		return new ScenarioReport(this.title, "All threads repeatedly acquire and release the same locks.",
				Table.of(results, columns()),
				List.of(Requirement.atLeast("rate over Redisson's, at least 1",
						results.ratio(RATE, this.peers.get(0), this.peers.get(2)), 1),
						Requirement.atLeast("the same, release confirmed, at least 1",
								results.ratio(RATE, this.peers.get(1), this.peers.get(2)), 1)));
	}

}
