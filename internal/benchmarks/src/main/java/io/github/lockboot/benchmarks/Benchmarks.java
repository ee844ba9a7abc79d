package io.github.lockboot.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.benchmarks.report.Documentation;
import io.github.lockboot.benchmarks.report.Machine;
import io.github.lockboot.benchmarks.report.Measurement;
import io.github.lockboot.benchmarks.report.ScenarioReport;
import io.github.lockboot.benchmarks.scenario.Effort;
import io.github.lockboot.benchmarks.scenario.Scenario;
import io.github.lockboot.benchmarks.scenario.Scenarios;
import io.github.lockboot.benchmarks.scenario.TestBed;
import io.github.lockboot.benchmarks.scenario.cache.CacheScenarios;
import io.github.lockboot.benchmarks.scenario.server.ServerScenarios;
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
	 * Run the scenarios. A full run of all goes on where an earlier run of the same
	 * commit has stopped.
	 * @param arguments {@code full} or {@code smoke}; then, to run only some scenarios,
	 * ids, or words that ids contain, separated by commas
	 */
	public static void main(String[] arguments) throws IOException {
		boolean smoke = arguments[0].equals("smoke");
		String wanted = (arguments.length > 1) ? arguments[1] : "";
		Documentation documentation = new Documentation(Path.of("../.."));
		try (RedisServer redis = RedisFixture.newServer()) {
			TestBed bed = new TestBed(redis, smoke ? Effort.smoke() : Effort.full());
			String origin = Machine.describe(redis.version());
			Map<String, Measurement> earlier = wanted.isEmpty() ? Measurement.readAll(documentation.measurements())
					: Map.of();
			for (Scenario scenario : wanted(wanted)) {
				String page = scenario.id() + suffix(redis.version());
				if (!smoke && isOf(earlier.get(page), origin)) {
					continue;
				}
				long startNanos = System.nanoTime();
				redis.flushAll();
				ScenarioReport measured = scenario.run(bed);
				long seconds = (System.nanoTime() - startNanos) / 1_000_000_000;
				System.out.println(measured.markdown());
				System.out.println(scenario.id() + " took " + seconds + " s\n");
				if (!smoke) {
					Measurement.write(documentation.measurements(), page, measured,
							"`-Dbenchmarks.only=%s` measures this table in %d s.\n\n%s".formatted(scenario.id(),
									seconds, origin));
				}
			}
		}
		documentation.update();
	}

	private static List<Scenario> wanted(String words) {
		List<Scenario> all = scenarios();
		return Stream.of(words.split(",")).flatMap((word) -> wanted(all, word)).distinct().toList();
	}

	private static Stream<Scenario> wanted(List<Scenario> all, String word) {
		boolean isId = all.stream().anyMatch((scenario) -> scenario.id().equals(word));
		return all.stream().filter((scenario) -> isId ? scenario.id().equals(word) : scenario.id().contains(word));
	}

	/** Return whether a page is of this machine and commit, without changes. */
	private static boolean isOf(@Nullable Measurement measured, String origin) {
		return measured != null && undated(measured.origin()).equals(undated(origin)) && !origin.contains("dirty");
	}

	private static String undated(String origin) {
		return origin.substring(origin.lastIndexOf(" on "));
	}

	/**
	 * The pages have the figures of Redis 7, and those of a later version beside them.
	 */
	private static String suffix(String redisVersion) {
		String major = redisVersion.replaceFirst("\\..*", "");
		return major.equals("7") ? "" : "-redis-" + major;
	}

	private static List<Scenario> scenarios() {
		return Stream.of(Scenarios.all(), ServerScenarios.all(), CacheScenarios.all()).flatMap(List::stream).toList();
	}

}
