package io.github.lockboot.autoconfigure;

import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.fixture.JvmProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application without Actuator, or without the module of it that only Spring Boot 4
 * has.
 */
class WithoutActuatorTests {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	@ParameterizedTest
	@ValueSource(strings = { "spring-boot-health", "spring-boot-(health|actuator.*)" })
	void methodsAreStillLocked(String missing) {
		String all = System.getProperty("java.class.path");
		String rest = Arrays.stream(all.split(File.pathSeparator))
			.filter((path) -> !path.matches(".*/" + missing + "-[^/]*\\.jar"))
			.collect(Collectors.joining(File.pathSeparator));
		assertThat(rest).isNotEqualTo(all);
		try (JvmProcess process = JvmProcess.start(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", rest),
				AotApplication.class)) {
			process.awaitLine("^held: true$", LIMIT);
			process.awaitLine("^end$", LIMIT);
		}
	}

}
