package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.aspectj.weaver.loadtime.Agent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.JvmProcess;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Annotated methods in a JVM with AspectJ's load-time weaver.
 */
@Tag("long")
class WeavingTests {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	private static final String WEAVER = "-javaagent:"
			+ Agent.class.getProtectionDomain().getCodeSource().getLocation().getPath();

	@Test
	void everyCallOfAnAnnotatedMethodIsLockedOnceByAspectJ() {
		assertThat(run(List.of(WEAVER), "lock.aspect.mode=aspectj", "lock.backend=local"))
			.containsSubsequence("bean: [orders:1]", "proxied: false", "self: [orders:2]", "new: [orders:3]",
					"private: [private]", "static: [static]", "composed: [composed]", "generic: [generic:4]",
					"type: [type]", "object method: []", "nested: []", "stage: true", "mono: true", "released: true")
			.filteredOn((line) -> line.startsWith("early: ") || line.startsWith("closed: "))
			.as("calls while there is no context")
			.hasSize(2)
			.allSatisfy((line) -> assertThat(line).contains("InvalidLockAnnotationException",
					"Orders.pay(String) is woven but was called without an application context"));
	}

	@Test
	void callsOfBeansAreLockedOnceByTheirProxiesEvenIfTheAspectIsWoven() {
		assertThat(run(List.of(WEAVER), "lock.aspect.mode=proxy", "lock.aspect.validation=off", "lock.backend=local"))
			.containsSubsequence("bean: [orders:1]", "proxied: true", "self: []", "new: []");
	}

	@Test
	void nothingIsLockedIfLocksAreDisabled() {
		assertThat(run(List.of(WEAVER), "lock.aspect.enabled=false", "lock.aspect.mode=aspectj", "lock.backend=local"))
			.containsSubsequence("bean: []", "new: []");
	}

	@Test
	void startFailsWithoutAWeaver() {
		try (JvmProcess process = start(List.of(), "lock.aspect.mode=aspectj")) {
			process.awaitLine("no weaver has woven the aspect: start the JVM with -javaagent:aspectjweaver.jar", LIMIT);
		}
	}

	private static List<String> run(List<String> options, String... properties) {
		try (JvmProcess process = start(options, properties)) {
			process.awaitLine("^end$", LIMIT);
			return process.output();
		}
	}

	private static JvmProcess start(List<String> options, String... properties) {
		return JvmProcess.start(
				Stream.concat(options.stream(), Stream.of("-Xmx256m", "-XX:TieredStopAtLevel=1")).toList(),
				WovenApplication.class, properties);
	}

}
