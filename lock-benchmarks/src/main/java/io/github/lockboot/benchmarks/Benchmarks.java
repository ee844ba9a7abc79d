package io.github.lockboot.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.lockboot.benchmarks.report.Report;
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
 * Runs the scenarios and prints the results.
 */
final class Benchmarks {

	private Benchmarks() {
	}

	/**
	 * Run.
	 * @param arguments {@code full} or {@code smoke}; then, if not all scenarios are to
	 * be run, words that the ids of the wanted ones contain, with commas between
	 * @throws IOException if the report can't be written
	 */
	public static void main(String[] arguments) throws IOException {
		Effort effort = arguments[0].equals("smoke") ? Effort.smoke() : Effort.full();
		List<String> wanted = (arguments.length > 1) ? List.of(arguments[1].split(",")) : List.of("");
		long startNanos = System.nanoTime();
		List<ScenarioReport> reports = new ArrayList<>();
		try (RedisServer redis = RedisFixture.newServer()) {
			for (Scenario scenario : scenarios()) {
				if (wanted.stream().anyMatch(scenario.id()::contains)) {
					reports.add(run(scenario, new TestBed(redis, effort)));
				}
			}
			String report = new Report(reports, redis.version(), Duration.ofNanos(System.nanoTime() - startNanos))
				.markdown();
			System.out.println(report);
			Files.writeString(Files.createDirectories(Path.of("target")).resolve("benchmarks.md"), report);
		}
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
		scenarioReport.requirements().forEach((requirement) -> System.out.println(requirement.row("")));
		System.out.println(scenario.id() + " took " + (System.nanoTime() - startNanos) / 1_000_000_000 + " s\n");
		return scenarioReport;
	}

}
