package io.github.lockboot.faults;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The seed of a run.
 */
final class Seed {

	/** System property that sets it. */
	static final String PROPERTY = "lockboot.faults.seed";

	private Seed() {
	}

	/**
	 * Choose a seed and print it, so that it is known even if the run hangs.
	 * @return the value of the property, else a random number
	 */
	static long choose() {
		Long wanted = Long.getLong(PROPERTY);
		long seed = (wanted != null) ? wanted : ThreadLocalRandom.current().nextLong(1_000_000);
		System.out.println("===== Faults: seed " + seed + " (-D" + PROPERTY + "=" + seed + " chooses it again) =====");
		return seed;
	}

}
