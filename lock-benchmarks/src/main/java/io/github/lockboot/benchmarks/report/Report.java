package io.github.lockboot.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All reports of one run, as a page.
 *
 * @param reports the reports of the scenarios
 * @param redisVersion version of the server
 * @param duration how long the run took
 */
public record Report(List<ScenarioReport> reports, String redisVersion, Duration duration) {

	private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

	/**
	 * Write the page.
	 * @return Markdown
	 */
	public String markdown() {
		Stream<String> requirements = this.reports.stream()
			.flatMap((scenarioReport) -> scenarioReport.requirements()
				.stream()
				.map((requirement) -> requirement.row(scenarioReport.title())));
		return machine() + "\n\n## Requirements\n\n| scenario | requirement | reached | |\n| --- | --- | ---: | --- |\n"
				+ requirements.collect(Collectors.joining("\n")) + "\n\n## All figures\n\n"
				+ this.reports.stream().map(ScenarioReport::markdown).collect(Collectors.joining("\n"));
	}

	private String machine() {
		return String.format("Measured in %d min on %d processors (%s), %s %s, JDK %s, Redis %s.",
				(this.duration.toSeconds() + 59) / 60, Runtime.getRuntime().availableProcessors(), processor(),
				System.getProperty("os.name"), System.getProperty("os.arch"), System.getProperty("java.version"),
				this.redisVersion);
	}

	private static String processor() {
		try (Stream<String> lines = Files.lines(CPU_INFO)) {
			return lines.filter((line) -> line.startsWith("model name"))
				.map((line) -> line.substring(line.indexOf(':') + 1).trim())
				.findFirst()
				.orElse("unknown model");
		}
		catch (IOException ex) {
			return "unknown model";
		}
	}

}
