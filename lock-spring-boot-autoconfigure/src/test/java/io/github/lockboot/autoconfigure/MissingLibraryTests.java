package io.github.lockboot.autoconfigure;

import java.io.File;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.fixture.JvmProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Failure messages for missing libraries, in JVMs with a reduced class path.
 */
@Tag("long")
public class MissingLibraryTests {

	@Test
	void missingLettuceIsReported() {
		assertThat(startWithout(Locking.class, "lettuce-core")).contains("APPLICATION FAILED TO START")
			.contains("Distributed locks need Lettuce as the Redis client, which is not on the class path.")
			.contains("Add io.lettuce:lettuce-core, or set lock.backend=local");
	}

	@Test
	void missingRedisIsReported() {
		assertThat(startWithout(Locking.class, "spring-data-redis", "spring-boot-data-redis"))
			.contains("APPLICATION FAILED TO START")
			.contains("There is no LockOperations bean")
			.contains("MissingLibraryTests$Locking$Orders.pay()")
			.containsIgnoringCase("add spring-boot-starter-data-redis");
	}

	public static String startWithout(Class<?> main, String... artifacts) {
		String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> Arrays.stream(artifacts).noneMatch((artifact) -> entry.contains("/" + artifact + "-")))
			.collect(Collectors.joining(File.pathSeparator));
		List<String> options = List.of("-cp", classPath, "-XX:TieredStopAtLevel=1");
		try (JvmProcess application = JvmProcess.start(options, main)) {
			assertThat(application.awaitExit(Duration.ofMinutes(2))).isNotZero();
			application.awaitLine("^Action:");
			application.awaitLine("^\\S");
			return String.join("\n", application.output());
		}
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Locking {

		public static void main(String[] arguments) {
			SpringApplication.run(Locking.class, "--spring.main.web-application-type=none");
		}

		@Bean
		Orders orders() {
			return new Orders();
		}

		static class Orders {

			@DistributedLock
			public void pay() {
			}

		}

	}

}
