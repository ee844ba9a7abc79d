package io.github.lockboot.benchmarks.migration;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import io.github.lockboot.benchmarks.migration.Program.Version;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.awaitility.Awaitility.await;

/**
 * Who excludes whom while an application moves from another library, as
 * {@code docs/migration.md} tells: instances of one version and of the next one exclude
 * each other.
 */
@RedisTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("long")
class MigrationTests {

	private final ConfigurableApplicationContext first;

	private final ConfigurableApplicationContext second;

	MigrationTests(RedisServer redis) {
		this.first = start(redis);
		this.second = start(redis);
	}

	private static ConfigurableApplicationContext start(RedisServer redis) {
		// a lock that one instance has released must be free if the other one tries it
		// once
		return new SpringApplicationBuilder(Programs.class).web(WebApplicationType.NONE)
			.run("--spring.data.redis.host=" + redis.host(), "--spring.data.redis.port=" + redis.port(),
					"--lock.release=confirmed", "--logging.level.root=warn");
	}

	@AfterAll
	void close() {
		this.first.close();
		this.second.close();
	}

	static Stream<Class<? extends Program>> programs() {
		return Stream.of(Programs.WithRedisson.class, Programs.WithLock4j.class, Programs.WithShedLock.class,
				Programs.WithSpringIntegration.class);
	}

	static Stream<Arguments> steps() {
		return programs().flatMap((program) -> Stream.of(Arguments.of(program, Version.BEFORE, Version.BETWEEN),
				Arguments.of(program, Version.BETWEEN, Version.AFTER)));
	}

	@ParameterizedTest
	@MethodSource("steps")
	void instancesOfBothVersionsOfAStepExcludeEachOther(Class<Program> program, Version old, Version next) {
		assertThat(runsWhileTheOtherInstanceRuns(program, old, next)).isFalse();
		assertThat(runsWhileTheOtherInstanceRuns(program, next, old)).isFalse();
		assertThat(runsWhileTheOtherInstanceRuns(program, next, next)).isFalse();
	}

	@ParameterizedTest
	@MethodSource("programs")
	void instancesBeforeAndAfterBothStepsDoNotExcludeEachOther(Class<Program> program) {
		assertThat(runsWhileTheOtherInstanceRuns(program, Version.BEFORE, Version.AFTER)).isTrue();
	}

	@ParameterizedTest
	@MethodSource
	void aProgramThatSetsTheKeyOfTheLibraryAndTheLibraryExcludeEachOther(Version holder, Version other) {
		assertThat(runsWhileTheOtherInstanceRuns(Programs.ByHand.class, holder, other)).isFalse();
	}

	static List<Arguments> aProgramThatSetsTheKeyOfTheLibraryAndTheLibraryExcludeEachOther() {
		return List.of(Arguments.of(Version.BETWEEN, Version.AFTER), Arguments.of(Version.AFTER, Version.BETWEEN));
	}

	/**
	 * Whether a program runs in one instance while it runs in another one. It has to run
	 * when the other one has ended.
	 */
	private boolean runsWhileTheOtherInstanceRuns(Class<? extends Program> program, Version holder, Version other) {
		CompletableFuture<Void> begun = new CompletableFuture<>();
		CountDownLatch end = new CountDownLatch(1);
		CompletableFuture<Void> holding = CompletableFuture
			.runAsync(() -> holder.run(this.first.getBean(program), () -> {
				begun.complete(null);
				awaitLatch(end);
			}), NewThreadExecutor::run)
			.whenComplete((ended, failure) -> begun.completeExceptionally((failure != null) ? failure
					: new AssertionError("The lock was busy, and the section did not run")));
		try {
			begun.orTimeout(60, TimeUnit.SECONDS).join();
			return runs(program, other);
		}
		finally {
			end.countDown();
			holding.join();
			await().until(() -> runs(program, other));
		}
	}

	private boolean runs(Class<? extends Program> program, Version version) {
		AtomicBoolean ran = new AtomicBoolean();
		try {
			version.run(this.second.getBean(program), () -> ran.set(true));
		}
		catch (RuntimeException ex) {
			assertThat(ran).as(ex.toString()).isFalse();
		}
		return ran.get();
	}

	private static void awaitLatch(CountDownLatch latch) {
		try {
			if (!latch.await(60, TimeUnit.SECONDS)) {
				fail("The section did not end");
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
