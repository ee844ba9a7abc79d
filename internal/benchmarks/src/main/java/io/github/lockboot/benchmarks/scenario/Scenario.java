package io.github.lockboot.benchmarks.scenario;

import io.github.lockboot.benchmarks.report.ScenarioReport;

/**
 * One way to use locks or the cache, with the requirements for this library.
 */
public interface Scenario {

	/** Return the word that selects the scenario. */
	String id();

	/** Run the measurement. */
	ScenarioReport run(TestBed bed);

}
