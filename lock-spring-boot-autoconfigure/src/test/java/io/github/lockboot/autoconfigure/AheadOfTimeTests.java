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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

import io.github.lockboot.fixture.JvmProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application runs on what was generated ahead of time, as a native image does.
 */
class AheadOfTimeTests {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	private final Path folder;

	AheadOfTimeTests(@TempDir Path folder) {
		this.folder = folder;
	}

	@Test
	void annotatedMethodIsLocked() throws IOException {
		generate();
		String classPath = System.getProperty("java.class.path") + File.pathSeparator + this.folder.resolve("classes");
		try (JvmProcess process = JvmProcess.start(List.of("-Xmx256m", "-Dspring.aot.enabled=true", "-cp", classPath),
				AotApplication.class)) {
			process.awaitLine("^end$", LIMIT);
			assertThat(process.output()).anyMatch((line) -> line.contains("Starting AOT-processed"))
				.containsSubsequence("class: AotApplication$Orders$$SpringCGLIB$$0", "held: true");
		}
	}

	private void generate() throws IOException {
		Path sources = this.folder.resolve("sources");
		Path classes = Files.createDirectories(this.folder.resolve("classes"));
		try (JvmProcess process = JvmProcess.start(List.of("-Xmx256m"), SpringApplicationAotProcessor.class,
				AotApplication.class.getName(), sources.toString(), classes.toString(), classes.toString(),
				"io.github.lockboot", "example")) {
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
