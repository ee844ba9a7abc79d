package io.github.lockboot.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What came of a run.
 *
 * @param seed what chose faults and victims
 * @param duration how long the run took
 * @param holds how often a lock was acquired
 * @param losses how many of the holds were not valid any more at their end
 * @param refusals how many writes the fence refused
 * @param overwritten how many updates a resource without a fence lost
 * @param faults how often each kind of fault was injected
 * @param slowest the longest time from the end of a fault until all had made progress
 * @param violations what should never happen; empty
 */
record Figures(long seed, Duration duration, long holds, long losses, long refusals, long overwritten,
		Map<Fault, Integer> faults, Duration slowest, List<String> violations) {

	@Override
	public String toString() {
		int count = this.faults.values().stream().mapToInt(Integer::intValue).sum();
		return "===== Faults: %d acquisitions in %d s, %d faults, %d violations; seed %d =====%n".formatted(this.holds,
				this.duration.toSeconds(), count, this.violations.size(), this.seed)
				+ "%s%n%d holds lost their lease; %d writes refused by the fence, %d updates lost without it;%n"
					.formatted(this.faults, this.losses, this.refusals, this.overwritten)
				+ "progress of all at most %d ms after a fault%n".formatted(this.slowest.toMillis());
	}

}
