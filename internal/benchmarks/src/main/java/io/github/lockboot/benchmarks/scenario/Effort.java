package io.github.lockboot.benchmarks.scenario;

import java.util.List;

/**
 * How much is measured.
 *
 * @param rounds how often each peer is measured in each scenario
 * @param warmUpMillis how long each peer works before it is measured
 * @param windowMillis how long each peer works in each round
 * @param contendedMillis how long each peer works in each round if its callers compete:
 * in a shorter time a caller that waits long would seem to get no lock at all
 * @param handOvers how many hand-overs are timed in each round
 * @param locks how many locks are held at once
 * @param waiters how many threads wait at once
 * @param watchMillis how long renewals are observed
 */
public record Effort(int rounds, int warmUpMillis, int windowMillis, int contendedMillis, int handOvers, int locks,
		int waiters, int watchMillis) {

	/** Length of a slice in which two peers are compared. */
	public static final int SLICE_MILLIS = 150;

	/**
	 * Return the effort for published figures.
	 * @return some three hours
	 */
	public static Effort full() {
		return new Effort(5, 3000, 1500, 10_000, 120, 10_000, 500, 32_000);
	}

	/**
	 * Return the effort for a check that all scenarios work.
	 * @return about two minutes; the figures are not meaningful
	 */
	public static Effort smoke() {
		return new Effort(1, 200, 300, 300, 8, 500, 20, 1500);
	}

	/**
	 * Return the same effort in more and shorter rounds, so that other load on the
	 * machine affects all peers alike.
	 */
	Effort finer() {
		return new Effort(this.rounds * 4, this.warmUpMillis, this.windowMillis / 4, this.contendedMillis,
				this.handOvers, this.locks, this.waiters, this.watchMillis);
	}

	/**
	 * Return the same effort in fewer and longer rounds, for callers that compete.
	 * @return more time
	 */
	Effort contended() {
		return new Effort((this.rounds + 1) / 2, this.warmUpMillis, this.contendedMillis, this.contendedMillis,
				this.handOvers, this.locks, this.waiters, this.watchMillis);
	}

	/** Return how many JVMs compare two peers. */
	int comparisons() {
		return (this.rounds + 1) / 2;
	}

	/** Return how many pairs of slices each of these JVMs measures. */
	int pairs() {
		return this.rounds * this.windowMillis / SLICE_MILLIS;
	}

	/** Return the options of JVMs whose time is measured. */
	public static List<String> timed() {
		return List.of("-Xms256m", "-Xmx512m", "-XX:+UseParallelGC");
	}

}
