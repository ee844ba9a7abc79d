package io.github.lockboot.benchmarks.scenario;

import java.util.List;

import io.github.lockboot.benchmarks.peer.PeerKind;
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

	private final PeerKind ours;

	private final PeerKind redissons;

	private BesideRedissonScenario(String id, String title, PeerKind ours, PeerKind redissons, int threads) {
		this(id, title, ours, redissons, threads, 1);
	}

	/**
	 * Create a scenario.
	 * @param id the word that selects the scenario
	 * @param title the title
	 * @param ours the kind of this library
	 * @param redissons the kind of Redisson
	 * @param threads how many threads
	 * @param locks how many locks they share
	 */
	BesideRedissonScenario(String id, String title, PeerKind ours, PeerKind redissons, int threads, int locks) {
		super(threads, locks);
		this.id = id;
		this.title = title;
		this.ours = ours;
		this.redissons = redissons;
	}

	static BesideRedissonScenario semaphore(int threads) {
		return new BesideRedissonScenario("semaphore-" + threads,
				threads + ((threads > 1) ? " threads" : " thread") + ", a semaphore of 4 permits",
				PeerKind.OURS_SEMAPHORE, PeerKind.REDISSON_SEMAPHORE, threads);
	}

	static BesideRedissonScenario several(int threads) {
		return new BesideRedissonScenario("several-" + threads,
				threads + ((threads > 1) ? " threads" : " thread") + ", 3 locks at once", PeerKind.OURS_SEVERAL,
				PeerKind.REDISSON_MULTI, threads);
	}

	@Override
	public String id() {
		return this.id;
	}

	@Override
	List<PeerKind> peers() {
		return List.of(this.ours, this.redissons);
	}

	@Override
	public ScenarioReport run(TestBed bed) {
		Results results = measure((threads() == 1) ? bed.finer() : bed);
		return new ScenarioReport(this.title, "All threads repeatedly acquire and release the same locks.",
				Table.of(results, columns()), List.of(Requirement.atLeast("rate over Redisson's, at least 1",
						results.ratio(RATE, this.ours, this.redissons), 1)));
	}

}
