package io.github.lockboot.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.stream.Stream;

/**
 * Where, when and of which versions a run measured.
 */
public final class Machine {

	private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

	private Machine() {
	}

	/**
	 * Describe the present run.
	 * @param redisVersion version of the server
	 * @return a sentence
	 */
	public static String describe(String redisVersion) {
		return String.format("Measured on %s on %d processors (%s), %s %s, JDK %s, Redis %s, commit %s.",
				LocalDate.now(ZoneOffset.UTC), Runtime.getRuntime().availableProcessors(), processor(),
				System.getProperty("os.name"), System.getProperty("os.arch"), System.getProperty("java.version"),
				redisVersion, commit());
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

	private static String commit() {
		try {
			Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude=*").start();
			try (InputStream out = git.getInputStream()) {
				String commit = new String(out.readAllBytes(), StandardCharsets.UTF_8).trim();
				return commit.isEmpty() ? "unknown" : commit;
			}
		}
		catch (IOException ex) {
			return "unknown";
		}
	}

}
