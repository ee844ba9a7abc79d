package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Loads of two entries that request each other's entry. Each would wait for the other
 * until its maximum load time is over, which is a minute.
 */
@Timeout(60)
class CrossingLoadTests extends WarmCacheTests {

	private final CyclicBarrier bothLoad = new CyclicBarrier(2);

	CrossingLoadTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void twoSuchLoadsEndEvenIfOneOfThemLoadsAThirdEntry() {
		Future<String> first = this.fixture.async(() -> this.cache.get(PRODUCT, 1,
				() -> this.cache.get(PRODUCT, 3, () -> meet() + this.cache.get(PRODUCT, 2, () -> "past 2"))));
		Future<String> second = this.fixture
			.async(() -> this.cache.get(PRODUCT, 2, () -> meet() + this.cache.get(PRODUCT, 1, () -> "past 1")));
		assertThat(List.of(join(first), join(second))).anyMatch((value) -> value.contains("past"));
	}

	@Test
	void twoSuchLoadsEndEvenIfTheyRequestSeveralEntries() {
		Future<Map<Integer, String>> first = this.fixture.async(() -> this.cache.getAll(PRODUCT, List.of(1, 3),
				(keys) -> Map.of(1, meet() + this.cache.getAll(PRODUCT, List.of(2, 4), this::past))));
		Future<Map<Integer, String>> second = this.fixture.async(() -> this.cache.getAll(PRODUCT, List.of(2, 5),
				(keys) -> Map.of(2, meet() + this.cache.getAll(PRODUCT, List.of(1, 6), this::past))));
		assertThat(join(first).get(1) + join(second).get(2)).contains("past");
	}

	@Test
	void twoSuchLoadsEndEvenIfTheyBlockNoThread() {
		// the loaders of this test block until both have started
		RedisCacheTemplate template = CacheFixture.warm(
				this.fixture.template(new CacheThreads((task) -> new Thread(task).start(), UnaryOperator.identity())));
		CompletableFuture<String> first = template.getAsync(PRODUCT, 1, () -> {
			meet();
			return template.getAsync(PRODUCT, 2, () -> CompletableFuture.completedFuture("past 2"));
		});
		CompletableFuture<String> second = template.getAsync(PRODUCT, 2, () -> {
			meet();
			return template.getAsync(PRODUCT, 1, () -> CompletableFuture.completedFuture("past 1"));
		});
		assertThat(List.of(join(first), join(second))).anyMatch((value) -> value.contains("past"));
	}

	@Test
	void aLoadEndsThatWaitsForANewThreadWhichRequestsItsEntry() {
		FutureTask<String> inner = new FutureTask<>(() -> this.cache.get(PRODUCT, 1, () -> "inner"));
		Future<String> outer = this.fixture.async(() -> this.cache.get(PRODUCT, 1, () -> {
			new Thread(inner).start();
			return "outer of " + join(inner);
		}));
		assertThat(join(outer)).isEqualTo("outer of inner");
	}

	@Test
	void aRefreshThatALoadStartsIsNoPartOfItAndWaitsForIt() {
		CompletableFuture<Boolean> refreshed = new CompletableFuture<>();
		this.cache.get(PRODUCT, 1, () -> {
			this.cache.refresh(PRODUCT, 2, () -> this.cache.get(PRODUCT, 1, () -> "past 1"))
				.thenAccept(refreshed::complete);
			Waiters.await(1);
			return "value";
		});
		assertThat(join(refreshed)).isTrue();
		assertThat(this.cache.get(PRODUCT, 2, () -> "nothing")).isEqualTo("value");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void aLoadThatWaitsForItselfOnAnotherThreadIsNamed(CapturedOutput output) {
		HeldTimerClock clock = new HeldTimerClock(CacheFixture.PATIENT.commandTimeout().multipliedBy(3));
		RedisCacheTemplate template = CacheFixture.warm(this.fixture.template(clock));
		// its thread does not show who has submitted a task
		ThreadPoolExecutor earlier = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
		earlier.prestartCoreThread();
		CompletableFuture<Future<String>> inner = new CompletableFuture<>();
		Future<String> outer = this.fixture.async(() -> template.get(PRODUCT, 1, () -> {
			inner.complete(earlier.submit(() -> template.get(PRODUCT, 1, () -> "inner")));
			return join(inner.join());
		}));
		Waiters.await(1);
		clock.runHeld();
		earlier.shutdownNow();
		assertThat(outer).failsWithin(Duration.ofSeconds(30));
		assertThat(output).contains("Entry '1' of cache 'product' is still being loaded")
			.contains("waits for itself until lock.cache.max-load-time ends")
			.contains("io.github.lockboot.cache.redis.CacheFixture.join(");
	}

	private Map<Integer, String> past(List<Integer> keys) {
		return Map.of(keys.get(0), "past the cache");
	}

	private String meet() {
		try {
			return "met " + (this.bothLoad.await(30, TimeUnit.SECONDS) >= 0) + ", ";
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new AssertionError("The other one does not load", ex);
		}
	}

}
