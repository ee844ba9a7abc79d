package io.github.lockboot.benchmarks.scenario.cache;

import java.util.List;

import io.github.lockboot.benchmarks.scenario.Scenario;

/**
 * All scenarios of the cache.
 */
public final class CacheScenarios {

	private CacheScenarios() {
	}

	/** Return all scenarios of the cache. */
	public static List<Scenario> all() {
		return List.of(new CacheHitScenario(1), new CacheHitScenario(64), new CacheMissScenario(),
				new StampedeScenario(20), new StampedeScenario(200), new StampedeScenario(600),
				new FailingLoadScenario(), new LocalHitScenario(), new KilledLoaderScenario());
	}

}
