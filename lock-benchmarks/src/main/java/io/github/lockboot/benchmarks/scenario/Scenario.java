package io.github.lockboot.benchmarks.scenario;

import io.github.lockboot.benchmarks.report.ScenarioReport;

/**
 * One way to use locks or the cache, with the requirements for ours.
 */
public interface Scenario {

	/**
	 * Return the word by which it is chosen.
	 * @return a word
	 */
	String id();

	/**
	 * Measure.
	 * @param bed where
	 * @return the report
	 */
	ScenarioReport run(TestBed bed);

}
