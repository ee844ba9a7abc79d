package io.github.lockboot.benchmarks.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where, when and of which versions a run measured.
 */
public final class Machine {

	private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

	private Machine() {
	}

	/** Describe the present run. */
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

	/** The tables and figures that a run has written do not make its commit dirty. */
	private static String commit() {
		String commit = git("describe", "--always", "--exclude=*");
		String changes = git("status", "--porcelain", "--untracked-files=no", "--", ":/", ":(top,exclude)docs",
				":(top,exclude)README.md");
		return (commit.isEmpty() ? "unknown" : commit) + (changes.isEmpty() ? "" : "-dirty");
	}

	private static String git(String... arguments) {
		List<String> command = new ArrayList<>(List.of(arguments));
		command.add(0, "git");
		try {
			Process git = new ProcessBuilder(command).start();
			try (InputStream out = git.getInputStream()) {
				return new String(out.readAllBytes(), StandardCharsets.UTF_8).trim();
			}
		}
		catch (IOException ex) {
			return "";
		}
	}

}
