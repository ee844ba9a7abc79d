package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.lettuce.core.RedisCommandTimeoutException;
import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PATIENT;
import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.engine.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Callers that wait for the load of another. A result serves only callers that joined
 * before the command that produced it was sent: with its reply held back, another JVM
 * evicts, and a later caller must not get it. Loads that request each other's entries do
 * not wait until their maximum load time is over, which is a minute.
 */
class WaitingCallerTests extends WarmCacheTests {

	private final CyclicBarrier bothLoad = new CyclicBarrier(2);

	private final HeldReplies held = new HeldReplies();

	WaitingCallerTests(RedisServer redis) {
		super(redis);
	}

	@AfterEach
	void release() {
		this.held.release();
	}

	@Test
	void aCallerFailsWhenItsWaitTimeEndsIfConfigured() {
		CacheSpec<String> impatient = PRODUCT
			.with((settings) -> settings.withWaitTimeout(Duration.ofMillis(1)).withOnWaitTimeout(OnWaitTimeout.FAIL));
		HeldTimerClock clock = new HeldTimerClock(PATIENT.multipliedBy(3));
		CacheTemplate other = CacheFixture.warm(this.fixture.template(clock));
		try (HeldLoad held = this.fixture.start(this.cache, PRODUCT, 42, "late")) {
			Future<String> waiting = this.fixture.async(() -> other.get(impatient, 42, this.fixture::load));
			clock.runHeld(1);
			assertThat(waiting).failsWithin(Duration.ofSeconds(30))
				.withThrowableOfType(ExecutionException.class)
				.withCauseInstanceOf(CacheWaitTimeoutException.class);
			assertThat(held.end()).isEqualTo("late");
		}
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void anInterruptedCallerDoesNotAffectTheOthers() throws Exception {
		try (HeldLoad held = this.fixture.start(this.cache, PRODUCT, 42, "value")) {
			AtomicInteger interrupted = new AtomicInteger();
			Thread waiting = new Thread(() -> {
				try {
					this.cache.get(PRODUCT, 42, this.fixture::load);
				}
				catch (CacheInterruptedException ex) {
					interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 100);
				}
			});
			waiting.start();
			Waiters.await(1);
			waiting.interrupt();
			waiting.join(20_000);
			assertThat(interrupted).hasValue(1);
			assertThat(held.end()).isEqualTo("value");
		}
	}

	@Test
	void anInterruptedCallerThatWaitsForNoOtherLoads() {
		Thread.currentThread().interrupt();
		try {
			assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
			assertThat(this.cache.getAll(PRODUCT, List.of(42, 43), (keys) -> Map.of(43, this.fixture.load())))
				.isEqualTo(Map.of(42, "value 1", 43, "value 2"));
		}
		finally {
			assertThat(Thread.interrupted()).isTrue();
		}
	}

	@Test
	void anEvictOfAnInterruptedThreadReturnsWhenRedisHasEvicted() {
		CacheTemplate slow = CacheFixture.warm(this.fixture.intercepted(this.held.to("evict")));
		Future<?> evicting = this.fixture.async(() -> {
			Thread.currentThread().interrupt();
			slow.evict("product", 42);
			return Thread.interrupted();
		});
		this.held.awaitHeld();
		assertThat(evicting).isNotDone();
		this.held.release();
		assertThat(join(evicting)).isEqualTo(true);
	}

	@ParameterizedTest
	@MethodSource
	void theInterruptOrTheCancellationOfTheCallerThatLoadsIsItsOwn(Throwable own) {
		CompletableFuture<String> loading = new CompletableFuture<>();
		AtomicInteger started = new AtomicInteger();
		CompletableFuture<String> first = this.cache.getAsync(PRODUCT, 42, () -> {
			started.incrementAndGet();
			return loading;
		});
		Awaitility.await().until(() -> started.get() == 1);
		List<Future<String>> waiting = Stream
			.generate(() -> this.fixture.async(() -> this.cache.get(PRODUCT, 42, this.fixture::load)))
			.limit(3)
			.toList();
		Waiters.await(3);
		loading.completeExceptionally(own);
		assertThat(waiting).extracting(CacheFixture::join).containsOnly("value 1");
		assertThat(first).isCompletedExceptionally();
	}

	static Stream<Throwable> theInterruptOrTheCancellationOfTheCallerThatLoadsIsItsOwn() {
		return Stream.of(new CancellationException(), new IllegalStateException(new InterruptedException()),
				new LockInterruptedException("orders"));
	}

	@Test
	void anInterruptedThreadThatFailsFailsAlone() {
		try (HeldLoad held = new HeldLoad("unused")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, () -> {
				try {
					return held.load();
				}
				catch (AssertionError ex) {
					Thread.currentThread().interrupt();
					throw new IllegalStateException("as a driver does");
				}
			}));
			held.awaitStart();
			Future<String> waiting = this.fixture.async(() -> this.cache.get(PRODUCT, 42, this.fixture::load));
			Waiters.await(1);
			loading.cancel(true);
			assertThat(join(waiting)).isEqualTo("value 1");
		}
	}

	@Test
	void noCallerWaitsForALoadAfterAnEvictOfAnotherJvm() {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withLease(Duration.ofMillis(600)));
		CacheTemplate other = this.fixture.template();
		try (HeldLoad held = this.fixture.start(this.cache, brief, 42, "old")) {
			Future<String> waiting = this.fixture.async(() -> this.cache.get(brief, 42, this.fixture::load));
			Waiters.await(1);
			other.evict("product", 42);
			assertThat(join(waiting)).isEqualTo("value 1");
			assertThat(held.end()).isEqualTo("old");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "cache:product:epoch", "cache:product:{product:42}:t", "cache:product:%s:{product:42}:w" })
	void aKeyOfAnotherTypeIsRepaired(String name) {
		this.cache.evict("product", 42);
		String key = name.formatted(this.redis.command("GET", "cache:product:epoch"));
		this.redis.command("DEL", key);
		this.redis.command("LPUSH", key, "a list");
		CacheTemplate other = this.fixture.template();
		try (HeldLoad held = this.fixture.start(other, PRODUCT, 42, "value")) {
			Future<String> waiting = this.fixture
				.async(() -> this.fixture.template().get(PRODUCT, 42, this.fixture::load));
			Waiters.await(1);
			assertThat(held.end()).isEqualTo("value");
			assertThat(join(waiting)).isEqualTo("value");
		}
		assertThat(other.getIfPresent(PRODUCT, 42)).isEqualTo(new CachedValue<>("value"));
	}

	@Test
	void aLoadThatLastsLongerThanItsLeaseIsTheOnlyOne() {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withLease(Duration.ofMillis(600)));
		CacheTemplate other = this.fixture.template();
		try (HeldLoad held = this.fixture.start(this.cache, brief, 42, "value")) {
			long start = System.nanoTime();
			Future<String> waiting = this.fixture.async(() -> other.get(brief, 42, this.fixture::load));
			Awaitility.await().until(() -> System.nanoTime() - start > 2_000_000_000L);
			assertThat(held.end()).isEqualTo("value");
			assertThat(join(waiting)).isEqualTo("value");
		}
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void aCallerAfterAStoreWasSentDoesNotGetItsValue() {
		CacheTemplate slow = template("store");
		Future<String> early = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "old"));
		assertLaterCallerLoads(slow, early, () -> Waiters.await(1));
	}

	@Test
	void aCallerAfterAReadWasSentDoesNotGetItsEntry() {
		this.cache.put(PRODUCT, 42, "old");
		CacheTemplate slow = template("read");
		Future<String> early = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "unused"));
		// the later one shares the next read
		assertLaterCallerLoads(slow, early, () -> Waiters.awaitReplies(2));
	}

	@Test
	void aCallerAfterAnAcquireWasSentDoesNotGetItsEntry() {
		CacheTemplate slow = this.fixture.intercepted(this.held.to("acquire"),
				firstRead(CompletableFuture.completedFuture(null)));
		this.cache.put(PRODUCT, 42, "old");
		Future<String> early = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "unused"));
		assertLaterCallerLoads(slow, early, () -> Waiters.await(2));
	}

	@Test
	void aCallerAfterAnEvictDoesNotShareTheLoadOfACallerWhoseReadTimedOut() {
		CacheTemplate slow = this.fixture.intercepted(timedOutRead());
		try (HeldLoad load = this.fixture.start(slow, PRODUCT, 42, "old")) {
			this.cache.evict("product", 42);
			Future<String> later = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "new"));
			Waiters.await(1);
			assertThat(load.end()).isEqualTo("old");
			assertThat(join(later)).isEqualTo("new");
		}
	}

	@Test
	void aCallerDuringALoadWithoutRedisFindsTheEntryInRedis() {
		CacheTemplate slow = this.fixture.intercepted(timedOutRead());
		this.cache.put(PRODUCT, 42, "in Redis");
		try (HeldLoad load = this.fixture.start(slow, PRODUCT, 42, "past the cache")) {
			assertThat(slow.get(PRODUCT, 42, () -> "another load")).isEqualTo("in Redis");
			assertThat(load.end()).isEqualTo("past the cache");
		}
	}

	@Test
	void aCallerThatWaitedForALoadWithoutRedisStoresItsOwn() {
		CacheTemplate slow = this.fixture.intercepted(timedOutRead());
		try (HeldLoad load = this.fixture.start(slow, PRODUCT, 42, "past the cache")) {
			Future<String> later = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "stored"));
			Waiters.await(1);
			load.release();
			assertThat(join(later)).isEqualTo("stored");
		}
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isEqualTo(new CachedValue<>("stored"));
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
		CacheTemplate template = CacheFixture
			.warm(this.fixture.template((task) -> new Thread(task).start(), UnaryOperator.identity()));
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
		HeldTimerClock clock = new HeldTimerClock(PATIENT.multipliedBy(3));
		CacheTemplate template = CacheFixture.warm(this.fixture.template(clock));
		// its thread does not show who has submitted a task
		ThreadPoolExecutor earlier = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>());
		earlier.prestartCoreThread();
		CompletableFuture<Future<String>> inner = new CompletableFuture<>();
		Future<String> outer = this.fixture.async(() -> template.get(PRODUCT, 1, () -> {
			inner.complete(earlier.submit(() -> template.get(PRODUCT, 1, () -> "inner")));
			return join(inner.join());
		}));
		clock.runHeld(1);
		earlier.shutdownNow();
		assertThat(outer).failsWithin(Duration.ofSeconds(30));
		assertThat(output).contains("Entry '1' of cache 'product' is still being loaded")
			.contains("waits for itself until lock.cache.max-load-time ends")
			.contains("io.github.lockboot.cache.engine.CacheFixture.join(");
	}

	private CacheTemplate template(String heldMethod) {
		return this.fixture.intercepted(this.held.to(heldMethod));
	}

	private static MethodInterceptor timedOutRead() {
		return firstRead(CompletableFuture.failedFuture(new RedisCommandTimeoutException("first read")));
	}

	/** Return another reply to the first read than that of Redis. */
	private static MethodInterceptor firstRead(CompletableFuture<byte @Nullable []> reply) {
		AtomicBoolean done = new AtomicBoolean();
		return (call) -> (call.getMethod().getName().equals("read") && done.compareAndSet(false, true)) ? reply
				: call.proceed();
	}

	private void assertLaterCallerLoads(CacheTemplate slow, Future<String> early, Runnable awaitLater) {
		this.held.awaitHeld();
		this.cache.evict("product", 42);
		Future<String> later = this.fixture.async(() -> slow.get(PRODUCT, 42, () -> "new"));
		awaitLater.run();
		this.held.release();
		assertThat(join(early)).isEqualTo("old");
		assertThat(join(later)).isEqualTo("new");
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
