package io.github.lockboot.benchmarks.scenario;

import java.util.List;

/**
 * All scenarios with locks in Redis, in the order in which they are reported.
 */
public final class Scenarios {

	private Scenarios() {
	}

	/** Return all scenarios with locks in Redis. */
	public static List<Scenario> all() {
		return List.of(new UncontendedScenario(1), new UncontendedScenario(64), new OneLockScenario(16, 0),
				new OneLockScenario(64, 0), new OneLockScenario(64, 1), new OneLockScenario(64, 10),
				new InstancesScenario(1, 0), new InstancesScenario(2, 0), new InstancesScenario(4, 0),
				new InstancesScenario(8, 0), new InstancesScenario(16, 0), new InstancesScenario(32, 0),
				new InstancesScenario(8, 1), new InstancesScenario(32, 1), new HandOverScenario(),
				new RetainedScenario(), new RecallScenario(), new RenewalScenario(100), new RenewalScenario(10_000),
				new RenewalScenario(100_000), new RecoveryScenario(), new FailOverScenario(), new MemoryScenario(),
				new ReadersScenario(), BesideRedissonScenario.semaphore(1), BesideRedissonScenario.semaphore(16),
				BesideRedissonScenario.several(1), BesideRedissonScenario.several(16), new ClusterScenario(1, 1),
				new ClusterScenario(64, 64), new ClusterScenario(16, 1), new EndToEndScenario(false),
				new EndToEndScenario(true), new WarmUpScenario(), new StartUpScenario(false),
				new StartUpScenario(true));
	}

}
