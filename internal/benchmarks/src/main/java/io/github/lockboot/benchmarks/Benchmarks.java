package io.github.lockboot.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.lockboot.benchmarks.report.Documentation;
import io.github.lockboot.benchmarks.report.Machine;
import io.github.lockboot.benchmarks.report.Measurement;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.Scenarios;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.scenario.cache.CacheScenarios;
import io.github.lockboot.benchmarks.scenario.database.DatabaseScenarios;
import io.github.lockboot.benchmarks.scenario.zookeeper.ZooKeeperScenarios;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

/**
 * Runs the scenarios, prints and stores their measurements, and updates the figures and
 * charts of the documentation.
 */
final class Benchmarks {

	private Benchmarks() {
	}

	/**
	 * Run the scenarios.
	 * @param arguments {@code full} or {@code smoke}; then, to run only some scenarios,
	 * words that their ids contain, separated by commas
	 * @throws IOException if a page cannot be written
	 */
	public static void main(String[] arguments) throws IOException {
		boolean smoke = arguments[0].equals("smoke");
		List<String> wanted = (arguments.length > 1) ? List.of(arguments[1].split(",")) : List.of("");
		Documentation documentation = new Documentation(Path.of("../.."));
		try (RedisServer redis = RedisFixture.newServer()) {
			for (Scenario scenario : scenarios()) {
				if (wanted.stream().anyMatch(scenario.id()::contains)) {
					ScenarioReport measured = run(scenario, new TestBed(redis, smoke ? Effort.smoke() : Effort.full()));
					if (!smoke) {
						Measurement.write(documentation.measurements(), scenario.id() + suffix(redis.version()),
								measured, Machine.describe(redis.version()));
					}
				}
			}
		}
		documentation.update();
	}

	/**
	 * The pages have the figures of Redis 7, and those of a later version beside them.
	 */
	private static String suffix(String redisVersion) {
		String major = redisVersion.replaceFirst("\\..*", "");
		return major.equals("7") ? "" : "-redis-" + major;
	}

	private static List<Scenario> scenarios() {
		return Stream.of(Scenarios.all(), DatabaseScenarios.all(), ZooKeeperScenarios.all(), CacheScenarios.all())
			.flatMap(List::stream)
			.toList();
	}

	private static ScenarioReport run(Scenario scenario, TestBed bed) {
		long startNanos = System.nanoTime();
		bed.redis().flushAll();
		ScenarioReport scenarioReport = scenario.run(bed);
		System.out.println(scenarioReport.markdown());
		System.out.println(scenario.id() + " took " + (System.nanoTime() - startNanos) / 1_000_000_000 + " s\n");
		return scenarioReport;
	}

}
