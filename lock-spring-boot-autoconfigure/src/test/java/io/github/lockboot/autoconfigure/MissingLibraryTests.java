package io.github.lockboot.autoconfigure;

import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.fixture.JvmProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications without libraries, in JVMs with a reduced class path.
 */
public class MissingLibraryTests {

	@Test
	@Tag("long")
	void missingLettuceIsReported() {
		assertThat(startWithout(Locking.class, "lettuce-core")).contains("APPLICATION FAILED TO START")
			.contains("Distributed locks need Lettuce as the Redis client, which is not on the class path.")
			.contains("Add io.lettuce:lettuce-core, or set lock.backend=local");
	}

	@Test
	@Tag("long")
	void missingRedisIsReported() {
		assertThat(startWithout(Locking.class, "spring-data-redis", "spring-boot-data-redis"))
			.contains("APPLICATION FAILED TO START")
			.contains("There is no LockOperations bean")
			.contains("MissingLibraryTests$Locking$Orders.pay()")
			.containsIgnoringCase("add spring-boot-starter-data-redis");
	}

	public static String startWithout(Class<?> main, String... artifacts) {
		List<String> options = List.of("-cp", classPathWithout(artifacts), "-XX:TieredStopAtLevel=1");
		try (JvmProcess application = JvmProcess.start(options, main)) {
			assertThat(application.awaitExit(Duration.ofMinutes(2))).isNotZero();
			application.awaitLine("^Action:");
			application.awaitLine("^\\S");
			return String.join("\n", application.output());
		}
	}

	private static String classPathWithout(String... artifacts) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> Arrays.stream(artifacts).noneMatch((artifact) -> entry.contains("/" + artifact + "-")))
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** Only Spring Boot 4 has the module of the health. */
	@ParameterizedTest
	@ValueSource(strings = { "spring-boot-health", "spring-boot-health,spring-boot-actuator" })
	void methodsAreStillLockedWithoutActuator(String missing) {
		String rest = classPathWithout(missing.split(","));
		assertThat(rest).isNotEqualTo(System.getProperty("java.class.path"));
		try (JvmProcess process = JvmProcess.start(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", rest),
				AotApplication.class)) {
			process.awaitLine("^held: true$", Duration.ofMinutes(2));
			process.awaitLine("^end$", Duration.ofMinutes(2));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Locking.Orders.class)
	static class Locking {

		public static void main(String[] arguments) {
			SpringApplication.run(Locking.class, "--spring.main.web-application-type=none");
		}

		static class Orders {

			@DistributedLock
			public void pay() {
			}

		}

	}

}
