package io.github.lockboot.autoconfigure.bridge;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.spring.annotation.EnableSchedulerLock;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.autoconfigure.LockRunners;
import io.github.lockboot.bridge.shedlock.LockOperationsProvider;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * ShedLock on the locks of this library.
 */
@RedisTest
class ShedLockTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private final ApplicationContextRunner runner;

	ShedLockTests(RedisServer redis) {
		this.runner = LockRunners.redis(redis, ShedLockAutoConfiguration.class);
	}

	@Test
	void anAnnotatedJobRunsInOneOfThreeInstances() {
		AtomicInteger runs = new AtomicInteger();
		ApplicationContextRunner instance = this.runner.withUserConfiguration(Jobs.class)
			.withBean(Nightly.class, () -> new Nightly(runs));
		instance.run((first) -> instance.run((second) -> instance.run((third) -> {
			CompletableFuture
				.allOf(Stream.of(first, second, third)
					.map((context) -> context.getBean(Nightly.class))
					.map((job) -> CompletableFuture.runAsync(job::run, NewThreadExecutor::run))
					.toArray(CompletableFuture[]::new))
				.join();
			assertThat(runs).hasValue(1);
		})));
	}

	@Test
	void aLockEndsAfterItsLongestTime() {
		this.runner.run((context) -> {
			SimpleLock lock = lock(context.getBean(LockProvider.class), Duration.ofMillis(200), Duration.ZERO).get();
			awaitFree(context.getBean(LockOperations.class));
			lock.unlock();
		});
	}

	@Test
	void aLockStaysHeldForItsShortestTime() {
		this.runner.run((context) -> {
			LockProvider provider = context.getBean(LockProvider.class);
			lock(provider, LONG, LONG).get().unlock();
			assertThat(lock(provider, LONG, Duration.ZERO)).isEmpty();
		});
	}

	@Test
	void anExtendedLockOutlivesItsFirstLongestTime() {
		this.runner.run((context) -> {
			LockProvider provider = context.getBean(LockProvider.class);
			SimpleLock first = lock(provider, Duration.ofSeconds(1), Duration.ZERO).get();
			Optional<SimpleLock> extended = first.extend(LONG, Duration.ZERO);
			Awaitility.await()
				.during(Duration.ofMillis(1200))
				.until(() -> lock(provider, LONG, Duration.ZERO).isEmpty());
			extended.get().unlock();
			assertThat(lock(provider, LONG, Duration.ZERO)).isPresent();
		});
	}

	@Test
	void anExtendedLockStaysHeldForItsNewShortestTime() {
		this.runner.run((context) -> {
			LockProvider provider = context.getBean(LockProvider.class);
			SimpleLock first = lock(provider, LONG, Duration.ZERO).get();
			first.extend(LONG, Duration.ofSeconds(1)).get().unlock();
			assertThat(lock(provider, LONG, Duration.ZERO)).isEmpty();
			awaitFree(context.getBean(LockOperations.class));
		});
	}

	@Test
	void aLockThatHasEndedCanNotBeExtended() {
		this.runner.run((context) -> {
			SimpleLock lock = lock(context.getBean(LockProvider.class), Duration.ofMillis(100), Duration.ZERO).get();
			awaitFree(context.getBean(LockOperations.class));
			assertThat(lock.extend(LONG, Duration.ZERO)).isEmpty();
		});
	}

	@Test
	void aProviderOfTheApplicationStays() {
		this.runner.withBean(LockProvider.class, () -> Mockito.mock(LockProvider.class))
			.run((context) -> assertThat(context).hasSingleBean(LockProvider.class)
				.doesNotHaveBean(LockOperationsProvider.class));
	}

	private static Optional<SimpleLock> lock(LockProvider provider, Duration atMost, Duration atLeast) {
		return provider.lock(new LockConfiguration(Instant.now(), "job", atMost, atLeast));
	}

	private static void awaitFree(LockOperations locks) {
		LockRequest once = LockRequest.of("job").waitTime(Duration.ZERO);
		Awaitility.await().until(() -> locks.tryExecute(once, () -> {
		}));
	}

	static class Nightly {

		private final AtomicInteger runs;

		Nightly(AtomicInteger runs) {
			this.runs = runs;
		}

		@SchedulerLock(name = "nightly", lockAtMostFor = "PT10M", lockAtLeastFor = "PT10M")
		public void run() {
			this.runs.incrementAndGet();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableSchedulerLock(defaultLockAtMostFor = "PT10M")
	static class Jobs {

	}

}
