package io.github.lockboot.autoconfigure;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

import io.github.lockboot.fixture.JvmProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application runs on code that was generated ahead of time, like a native image.
 */
class AheadOfTimeTests {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	private static Path folder;

	@Test
	void annotatedMethodIsLockedAndARoleHasAnElection() {
		try (JvmProcess process = start()) {
			process.awaitLine("^end$", LIMIT);
			assertThat(process.output()).anyMatch((line) -> line.contains("Starting AOT-processed"))
				.containsSubsequence("class: AotApplication$Orders$$SpringCGLIB$$0", "held: true", "role: reports");
		}
	}

	@Test
	void backendThatDiffersFromTheBuiltOneStopsTheStart() {
		try (JvmProcess process = start("-Dlock.backend=redis")) {
			assertThat(process.awaitExit(LIMIT)).isNotZero();
			assertThat(process.output()).anyMatch((line) -> line
				.contains("processed ahead of time with lock.backend=local and is started with lock.backend=redis"));
		}
	}

	private static JvmProcess start(String... options) {
		String classPath = System.getProperty("java.class.path") + File.pathSeparator + folder.resolve("classes");
		List<String> all = new ArrayList<>(
				List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dspring.aot.enabled=true", "-cp", classPath));
		all.addAll(List.of(options));
		return JvmProcess.start(all, AotApplication.class);
	}

	@BeforeAll
	static void generate(@TempDir Path empty) throws IOException {
		folder = empty;
		Path sources = folder.resolve("sources");
		Path classes = Files.createDirectories(folder.resolve("classes"));
		try (JvmProcess process = JvmProcess.start(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
				SpringApplicationAotProcessor.class, AotApplication.class.getName(), sources.toString(),
				classes.toString(), classes.toString(), "io.github.lockboot", "example")) {
			assertThat(process.awaitExit(LIMIT)).as(() -> String.join("\n", process.output())).isZero();
		}
		List<String> arguments = new ArrayList<>(List.of("-nowarn", "-proc:none", "-d", classes.toString(), "-cp",
				System.getProperty("java.class.path") + File.pathSeparator + classes));
		try (Stream<Path> files = Files.walk(sources)) {
			files.filter((file) -> file.toString().endsWith(".java")).map(Path::toString).forEach(arguments::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

}
