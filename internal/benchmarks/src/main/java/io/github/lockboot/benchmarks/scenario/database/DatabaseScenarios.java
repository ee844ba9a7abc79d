package io.github.lockboot.benchmarks.scenario.database;

import java.util.List;
import java.util.stream.Stream;

import io.github.lockboot.benchmarks.scenario.Scenario;

/**
 * All scenarios of locks in a database.
 */
public final class DatabaseScenarios {

	private DatabaseScenarios() {
	}

	/**
	 * Return all scenarios of locks in a database.
	 * @return the scenarios
	 */
	public static List<Scenario> all() {
		return Stream.of(Database.values())
			.<Scenario>flatMap(
					(database) -> Stream.of(new FreeLockScenario(database), new WaitingScenario(database, 1, 64, 0),
							new WaitingScenario(database, 2, 8, 0), new WaitingScenario(database, 2, 8, 1),
							new WaitingScenario(database, 2, 8, 10), new FenceScenario(database)))
			.toList();
	}

}
