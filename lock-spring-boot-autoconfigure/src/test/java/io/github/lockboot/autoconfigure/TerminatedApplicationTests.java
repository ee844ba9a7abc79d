package io.github.lockboot.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * SIGTERM under load. Leases last ten minutes, so that another JVM which continues has
 * not waited for one to expire.
 */
@RedisTest
class TerminatedApplicationTests {

	private static final Duration LIMIT = Duration.ofSeconds(120);

	/** Exit code of a JVM after SIGTERM. */
	private static final int TERMINATED = 128 + 15;

	private final RedisServer redis;

	TerminatedApplicationTests(RedisServer redis) {
		this.redis = redis;
	}

	@Test
	void losesNothingLeavesNoKeyAndBlocksNoOther() {
		try (JvmProcess first = start("first"); JvmProcess second = start("second")) {
			awaitSections("first");
			awaitSections("second");

			first.terminate();
			assertThat(first.awaitExit(LIMIT)).isEqualTo(TERMINATED);
			assertThatAllSectionsEnded("first", first);
			awaitSections("second");

			second.terminate();
			assertThat(second.awaitExit(LIMIT)).isEqualTo(TERMINATED);
			assertThatAllSectionsEnded("second", second);
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		}
	}

	@Test
	void anExitInsideASectionDoesNotWaitForItself() {
		try (JvmProcess process = start(WorkingApplication.EXITING)) {
			// the shutdown would wait for two minutes
			assertThat(process.awaitExit(Duration.ofSeconds(100))).isEqualTo(7);
			assertThat(process.output()).noneMatch((line) -> line.contains("was lost"));
			assertThat(LockRunners.keys(this.redis)).isEmpty();
		}
	}

	private JvmProcess start(String name) {
		return JvmProcess.start(List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"), WorkingApplication.class, name,
				this.redis.host(), String.valueOf(this.redis.port()));
	}

	/** Waits for further sections under each of the locks. */
	private void awaitSections(String name) {
		List<Long> before = ended(name);
		Awaitility.await()
			.atMost(LIMIT)
			.untilAsserted(() -> assertThat(ended(name)).satisfies((now) -> IntStream.range(0, now.size())
				.forEach((lock) -> assertThat(now.get(lock)).isGreaterThan(before.get(lock) + 5))));
	}

	private void assertThatAllSectionsEnded(String name, JvmProcess process) {
		assertThat(process.output()).contains("refused").noneMatch((line) -> line.startsWith("failed"));
		assertThat(ended(name)).isEqualTo(counts(name, "begun"));
	}

	private List<Long> ended(String name) {
		return counts(name, "ended");
	}

	private List<Long> counts(String name, String what) {
		return IntStream.range(0, WorkingApplication.LOCKS)
			.mapToObj((lock) -> this.redis.command("GET", name + ":" + what + ":work-" + lock))
			.map((count) -> (count != null) ? Long.parseLong(count.toString()) : 0L)
			.toList();
	}

}
