package io.github.lockboot.autoconfigure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.ScheduledLock;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A job of three instances that share a Redis. The test triggers each run.
 */
@RedisTest
class ScheduledLockTests {

	private final AtomicInteger runs = new AtomicInteger();

	private final List<Runnable> jobs = new ArrayList<>();

	private final ApplicationContextRunner runner;

	ScheduledLockTests(RedisServer redis) {
		this.runner = LockRunners.redis(redis)
			.withPropertyValues("lock.redis.command-timeout=10s")
			.withUserConfiguration(Application.class)
			.withBean("nightly", Nightly.class, () -> new Nightly(this.runs))
			.withBean("taskScheduler", TaskScheduler.class, () -> LockRunners.handDriven(this.jobs));
	}

	@Test
	void jobRunsOncePerTickOverThreeInstances() {
		withThreeInstances((locks) -> {
			for (int tick = 1; tick <= 3; tick++) {
				tickInAllInstancesAtOnce();
				assertThat(this.runs).hasValue(tick);
				locks.forceRelease("nightly"); // the minimum hold time is over
			}
		});
	}

	@Test
	void lateInstanceSkipsAJobThatHasEndedElsewhere() {
		withThreeInstances((locks) -> {
			this.jobs.forEach(Runnable::run);
			assertThat(this.runs).hasValue(1);
		});
	}

	private void withThreeInstances(Consumer<LockOperations> test) {
		this.runner.run((first) -> this.runner.run((second) -> this.runner.run((third) -> {
			assertThat(this.jobs).hasSize(3);
			LockOperations locks = third.getBean(LockOperations.class);
			locks.forceRelease("nightly");
			test.accept(locks);
		})));
	}

	private void tickInAllInstancesAtOnce() {
		CompletableFuture<?>[] instances = IntStream.range(0, 3)
			.mapToObj((instance) -> CompletableFuture.runAsync(this.jobs.get(instance), NewThreadExecutor::run))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(instances).join();
	}

	static class Nightly {

		private final AtomicInteger runs;

		Nightly(AtomicInteger runs) {
			this.runs = runs;
		}

		@Scheduled(cron = "0 0 3 * * *")
		@ScheduledLock(name = "nightly", minHoldTime = "10m")
		public void run() {
			this.runs.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableScheduling
	static class Application {

	}

}
