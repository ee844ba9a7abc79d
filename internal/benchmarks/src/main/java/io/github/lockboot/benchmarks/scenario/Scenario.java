package io.github.lockboot.benchmarks.scenario;

import io.github.lockboot.benchmarks.report.ScenarioReport;

/**
 * One way to use locks or the cache, with the requirements for this library.
 */
public interface Scenario {

	/**
	 * Return the word that selects the scenario.
	 * @return a word
	 */
	String id();

	/**
	 * Run the measurement.
	 * @param bed the server and the effort
	 * @return the report
	 */
	ScenarioReport run(TestBed bed);

}
