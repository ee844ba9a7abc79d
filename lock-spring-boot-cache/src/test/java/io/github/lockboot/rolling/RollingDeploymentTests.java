package io.github.lockboot.rolling;

import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.github.lockboot.LockOperations;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Instances of an earlier version and of this one work together while an application is
 * deployed. Runs in the profile {@code rolling} only, which needs the paths of the
 * earlier version's jars.
 */
@RedisTest
@Tag("rolling")
class RollingDeploymentTests {

	private static final String PREVIOUS = "lockboot.previous";

	private static final Duration LIMIT = Duration.ofMinutes(2);

	private final RedisServer redis;

	RollingDeploymentTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void versionsShareLocksAndCacheWhileOneIsReplacedByTheOther() {
		try (JvmProcess old = earlier();
				JvmProcess another = earlier();
				JvmProcess first = current();
				JvmProcess second = current()) {
			List<JvmProcess> all = List.of(old, another, first, second);
			all.forEach((member) -> member.awaitLine("^uses ", LIMIT));
			assertThat(old.output())
				.noneMatch((line) -> line.startsWith("uses ") && line.endsWith(place(LockOperations.class)));
			all.forEach((member) -> member.awaitLine("^sections 500$", LIMIT));
			stop(old);
			Stream.of(another, first, second).forEach((member) -> member.awaitLine("^sections 1000$", LIMIT));
			stop(another);
			Stream.of(first, second).forEach((member) -> member.awaitLine("^sections 1500$", LIMIT));
			stop(first);
			stop(second);
			assertThat(all.stream()
				.flatMap((member) -> member.output().stream())
				.filter((line) -> line.contains("violation"))).isEmpty();
		}
	}

	private void stop(JvmProcess member) {
		member.send("stop");
		member.awaitLine("^ended$", LIMIT);
	}

	private JvmProcess current() {
		return start(System.getProperty("java.class.path"));
	}

	private JvmProcess earlier() {
		String jars = System.getProperty(PREVIOUS, "");
		assertThat(jars).as("-D%s=<jars of an earlier version>", PREVIOUS).isNotEmpty();
		assertThat(Stream.of(jars.split(File.pathSeparator))).allMatch((jar) -> Files.exists(Path.of(jar)));
		List<String> replaced = Stream.of(LockOperations.class, CacheOperations.class)
			.map((type) -> Path.of(URI.create(place(type))).toString())
			.toList();
		return start(Stream
			.concat(Stream.of(jars),
					Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
						.filter((element) -> !replaced.contains(Path.of(element).toAbsolutePath().toString())))
			.collect(Collectors.joining(File.pathSeparator)));
	}

	private JvmProcess start(String classPath) {
		return JvmProcess.start(List.of("-cp", classPath, "-Xmx256m", "-XX:TieredStopAtLevel=1"), Member.class,
				"--spring.data.redis.host=" + this.redis.host(), "--spring.data.redis.port=" + this.redis.port(),
				"--spring.main.web-application-type=none", "--spring.main.banner-mode=off",
				"--logging.level.root=WARN");
	}

	private static String place(Class<?> type) {
		return type.getProtectionDomain().getCodeSource().getLocation().toString();
	}

}
