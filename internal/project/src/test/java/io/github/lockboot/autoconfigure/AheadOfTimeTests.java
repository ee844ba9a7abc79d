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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.agent.RecordedInvocation;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.SpringApplicationAotProcessor;

import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisFixture;
import io.github.lockboot.fixture.RedisServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application runs on code that was generated ahead of time, like a native image.
 */
@Tag("long")
class AheadOfTimeTests {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	private static final List<String> OPTIONS = List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

	private static Path folder;

	private static List<String> output;

	@Test
	void annotatedMethodIsLockedAndARoleHasAnElection() {
		assertThat(output).anyMatch((line) -> line.contains("Starting AOT-processed"))
			.containsSubsequence("class: RecordedApplication$Orders$$SpringCGLIB$$0", "held: true", "role: reports");
	}

	@Test
	void everyAccessByReflectionIsInTheHints() {
		assertThat(output).anyMatch((line) -> line.matches("in the hints: forName .*JsonMapper.*"))
			.anyMatch((line) -> line.matches("in the hints: getResourceAsStream .*acquire\\.lua.*"))
			.anyMatch((line) -> line.matches("in the hints: invoke .*Order\\.getId\\(\\).*"))
			.anyMatch((line) -> line.matches("in the hints: newInstance .*LockFailureAnalyzer.*"))
			.noneMatch((line) -> line.startsWith("missing: "));
	}

	/** The agent does not see these accesses. */
	@Test
	void attributesOfAnnotationsCanBeRead() {
		assertThat(Stream.of(DistributedLock.class, RedisCache.class))
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection()
				.onType(type)
				.withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(RegisteredHints.ofLibrary()));
	}

	@Test
	void backendThatDiffersFromTheBuiltOneStopsTheStart() {
		try (JvmProcess process = JvmProcess.start(options("-Dlock.backend=local"), RecordedApplication.class)) {
			assertThat(process.awaitExit(LIMIT)).isNotZero();
			assertThat(process.output()).anyMatch((line) -> line
				.contains("processed ahead of time with lock.backend=redis and is started with lock.backend=local"));
		}
	}

	private static List<String> options(String option) {
		String classPath = System.getProperty("java.class.path") + File.pathSeparator + folder.resolve("classes");
		return Stream.concat(OPTIONS.stream(), Stream.of("-Dspring.aot.enabled=true", "-cp", classPath, option))
			.toList();
	}

	@BeforeAll
	static void runGeneratedCode(@TempDir Path empty) throws IOException {
		folder = empty;
		generate(folder.resolve("sources"), Files.createDirectories(folder.resolve("classes")));
		Path agent = Path.of(RecordedInvocation.class.getProtectionDomain().getCodeSource().getLocation().getPath());
		RedisServer redis = RedisFixture.shared();
		redis.flushAll();
		try (JvmProcess process = JvmProcess.start(
				options("-javaagent:" + agent + "=+org.springframework,+io.github.lockboot,+tools.jackson"),
				RecordedAccesses.class, folder.resolve("recorded").toString(),
				"--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
				"--lock.wiat-time=1s", "--lock.locks.orders.wait-time=2s", "--lock.cache.caches.product.ttl=1m")) {
			process.awaitLine("^compared$", LIMIT);
			output = process.output();
		}
	}

	private static void generate(Path sources, Path classes) throws IOException {
		try (JvmProcess process = JvmProcess.start(OPTIONS, SpringApplicationAotProcessor.class,
				RecordedApplication.class.getName(), sources.toString(), classes.toString(), classes.toString(),
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
