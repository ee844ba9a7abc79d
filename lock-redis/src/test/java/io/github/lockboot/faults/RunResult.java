package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The result of a run.
 *
 * @param seed the seed that chose faults and victims
 * @param duration how long the run took
 * @param holds how often a lock was acquired
 * @param losses how many of the holds were no longer valid at their end
 * @param faults how often each kind of fault was injected
 * @param slowest the longest time between the end of a fault and progress of all workers
 * @param violations a sentence for each violation
 */
record RunResult(long seed, Duration duration, long holds, long losses, Map<Fault, Integer> faults, Duration slowest,
		List<String> violations) {

	@Override
	public String toString() {
		int count = this.faults.values().stream().mapToInt(Integer::intValue).sum();
		return "===== Faults: %d acquisitions in %d s, %d faults, %d violations; seed %d =====%n".formatted(this.holds,
				this.duration.toSeconds(), count, this.violations.size(), this.seed)
				+ "%s%n%d holds lost their lease;%n".formatted(this.faults, this.losses)
				+ "all made progress at most %d ms after a fault%n".formatted(this.slowest.toMillis());
	}

}
