package io.github.lockboot.benchmarks.scenario.server;

import java.util.List;
import java.util.stream.Stream;

import io.github.lockboot.benchmarks.scenario.Scenario;

/**
 * All scenarios of locks in a database or in ZooKeeper.
 */
public final class ServerScenarios {

	private ServerScenarios() {
	}

	/**
	 * Return all scenarios of locks in a database or in ZooKeeper.
	 * @return the scenarios, those of ZooKeeper last
	 */
	public static List<Scenario> all() {
		Stream<Scenario> databases = Stream.of(Database.values())
			.flatMap((database) -> Stream.concat(
					each(database, "rate over the bare statements', slices in turn, at least 0.9", 0.9, 5),
					Stream.of(new FenceScenario(database))));
		Stream<Scenario> ensemble = each(Ensemble.ZOOKEEPER, "rate over Curator's, slices in turn, at least 1", 1, 10);
		return Stream
			.of(databases, ensemble, Stream.of(new InstancesScenario(), new WaiterScenario(), new HeldLocksScenario()))
			.flatMap((scenarios) -> scenarios)
			.toList();
	}

	private static Stream<Scenario> each(Server server, String overFloor, double leastFree, int leastWaiting) {
		return Stream.of(new FreeLockScenario(server, overFloor, leastFree), new WaitingScenario(server, 1, 64, 0, 20),
				new WaitingScenario(server, 2, 8, 0, leastWaiting), new WaitingScenario(server, 2, 8, 1, 0),
				new WaitingScenario(server, 2, 8, 10, 0));
	}

}
