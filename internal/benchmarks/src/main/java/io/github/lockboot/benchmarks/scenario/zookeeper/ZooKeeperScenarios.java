package io.github.lockboot.benchmarks.scenario.zookeeper;

import java.util.List;

import io.github.lockboot.benchmarks.scenario.Scenario;

/**
 * All scenarios of locks in ZooKeeper.
 */
public final class ZooKeeperScenarios {

	private ZooKeeperScenarios() {
	}

	/**
	 * Return all scenarios of locks in ZooKeeper.
	 * @return the scenarios
	 */
	public static List<Scenario> all() {
		return List.of(new FreeLockScenario(), new WaitingScenario(1, 64, 0), new WaitingScenario(2, 8, 0),
				new WaitingScenario(2, 8, 1), new WaitingScenario(2, 8, 10), new InstancesScenario(),
				new WaiterScenario(), new HeldLocksScenario());
	}

}
