package io.github.lockboot.faults;

import java.util.List;
import java.util.stream.Stream;

/**
 * A promise of the locks that a history must fulfil.
 */
interface Rule {

	/**
	 * Return all rules.
	 * @return the promises
	 */
	static List<Rule> all() {
		return List.of(new MutualExclusion(), new MonotonicTokens(), new LossDetection(), new LeaseWithinKeyTtl());
	}

	/**
	 * Check a history.
	 * @param history the history
	 * @return a sentence for each violation; empty if there is none
	 */
	Stream<String> violations(History history);

}
