package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.JvmProcess;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several JVMs and one entry.
 */
@RedisTest
@Timeout(120)
@Tag("long")
class CacheProcessesTests {

	private final RedisServer redis;

	private final List<JvmProcess> processes = new ArrayList<>();

	CacheProcessesTests(RedisServer redis) {
		this.redis = redis;
	}

	@AfterEach
	void close() {
		this.processes.forEach(JvmProcess::close);
	}

	@Test
	void aThousandCallersInThreeJvmsLoadOnceWithFewCommands() {
		IntStream.range(0, 3).forEach((i) -> this.processes.add(CacheProcess.start(this.redis)));
		List<String> reports = new ArrayList<>();
		CommandCounts counts = this.redis.commandsDuring(() -> {
			this.processes.forEach((process) -> process.send("storm 334 2000"));
			this.processes.forEach((process) -> reports.add(process.awaitLine("^loads ", Duration.ofSeconds(60))));
		});
		assertThat(reports).map((report) -> report.replaceFirst("^loads \\d+ ", ""))
			.allMatch((report) -> report.startsWith("right 334 "));
		assertThat(reports.stream().mapToInt((report) -> Integer.parseInt(report.split(" ")[1])).sum()).isOne();
		// per JVM: one epoch, renewal or repeated wait every third of the lease, and the
		// few commands of waiters
		assertThat(counts.of("evalsha")).isLessThan(3 * 20);
		// each caller that is there before the flight is open, and no caller twice
		assertThat(counts.of("get")).isLessThan(3 * (334 + 10));
	}

	@Test
	void aLoadThatOutlastsTheWaitTimeRunsAtMostOnceInEachJvm() {
		IntStream.range(0, 2).forEach((i) -> this.processes.add(CacheProcess.start(this.redis)));
		this.processes.forEach((process) -> process.send("storm 300 12000 defaults"));
		assertThat(this.processes).map((process) -> process.awaitLine("^loads ", Duration.ofSeconds(60)))
			.containsOnly("loads 1 right 300 at once 1");
	}

	/** Several times, since a busy machine may delay replies at any time. */
	@Test
	void aJvmThatStoodStillLoadsNothingPastTheCache() {
		JvmProcess jvm = CacheProcess.start(this.redis);
		this.processes.add(jvm);
		jvm.send("read 16");
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
			jvm.send("report");
			jvm.awaitLine("^past the cache ");
			jvm.freeze();
			Awaitility.await().pollDelay(Duration.ofMillis(700)).until(() -> true);
			jvm.thaw();
			Awaitility.await().pollDelay(Duration.ofMillis(500)).until(() -> true);
			jvm.send("report");
			return jvm.awaitLine("^past the cache ").equals("past the cache 0 pauses 0");
		});
	}

	@Test
	void anotherCallerLoadsWhenTheLoadingJvmIsKilled() {
		JvmProcess victim = CacheProcess.start(this.redis);
		JvmProcess heir = CacheProcess.start(this.redis);
		this.processes.addAll(List.of(victim, heir));
		victim.send("hang");
		victim.awaitLine("^loading$");
		heir.send("storm 20 1");
		victim.kill();
		long death = System.nanoTime();
		assertThat(heir.awaitLine("^loads ")).isEqualTo("loads 1 right 20 at once 1");
		// the lease is 3 seconds, the wait time 10 seconds
		assertThat(Duration.ofNanos(System.nanoTime() - death)).isLessThan(Duration.ofSeconds(8));
	}

}
