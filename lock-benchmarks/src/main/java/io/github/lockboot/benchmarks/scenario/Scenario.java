package io.github.lockboot.benchmarks.scenario;

import io.github.lockboot.benchmarks.report.Chapter;

/**
 * One way to use locks, and what ours must reach in it.
 */
public interface Scenario {

	/**
	 * Return the word by which it is chosen.
	 * @return a word
	 */
	String id();

	/**
	 * Measure.
	 * @param lab where
	 * @return what is told of it
	 */
	Chapter run(Lab lab);

}
