package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PATIENT;
import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.engine.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Loads that outlast the wait time of others, never end, fail, or lose their lease. Two
 * templates represent two JVMs.
 */
@Timeout(120)
class LongLoadTests extends WarmCacheTests {

	private static final CacheSpec<String> WITH_DEFAULTS = PRODUCT.with((settings) -> CacheSettings.defaults());

	private static final CacheSpec<String> IMPATIENT = PRODUCT
		.with((settings) -> CacheSettings.defaults().withWaitTimeout(Duration.ofMillis(1)));

	private static final CacheSpec<String> SHORT_LOADS = PRODUCT
		.with((settings) -> CacheSettings.defaults().withMaxLoadTime(Duration.ofMillis(500)));

	private final CacheTemplate hasty;

	/** Runs the ends of wait times when the test wants. */
	private final HeldTimerClock clock = new HeldTimerClock(PATIENT.multipliedBy(3));

	private final CacheTemplate impatient;

	private final AtomicInteger loads = new AtomicInteger();

	LongLoadTests(RedisServer redis) {
		super(redis);
		this.hasty = this.fixture.hasty();
		this.impatient = this.fixture.template(this.clock);
	}

	/** All JVMs know the epoch of the emptied Redis. */
	@BeforeEach
	void warmAll() {
		CacheFixture.warm(this.hasty);
		CacheFixture.warm(this.impatient);
	}

	@Test
	void theLeaseIsShorterThanTheWaitTimeByDefault() {
		CacheSettings defaults = CacheSettings.defaults();
		assertThat(defaults.lease().multipliedBy(2)).isLessThan(defaults.waitTimeout());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersWhoseWaitTimeEndsShareOneLoad(boolean several) {
		try (HeldLoad ours = new HeldLoad("ours")) {
			List<Future<Object>> callers = endWaitTimeOf(20,
					(template) -> several
							? template.getAll(IMPATIENT, List.of(42), (keys) -> Map.of(42, counted(ours).load()))
							: template.get(IMPATIENT, 42, counted(ours)));
			ours.awaitStart();
			ours.release();
			assertThat(callers).extracting(CacheFixture::join).containsOnly(several ? Map.of(42, "ours") : "ours");
		}
		assertThat(this.loads).hasValue(1);
	}

	/**
	 * Start callers that wait for the load of another JVM, and end their wait time when
	 * all of them wait: a late caller would wait again, and load itself.
	 */
	private <T> List<Future<T>> endWaitTimeOf(int count, Function<CacheTemplate, T> caller) {
		this.fixture.start(this.cache, PRODUCT, 42, "theirs");
		List<Future<T>> callers = IntStream.range(0, count)
			.mapToObj((i) -> this.fixture.async(() -> caller.apply(this.impatient)))
			.toList();
		this.clock.runHeld(count);
		return callers;
	}

	@Test
	void callersWhoseWaitTimeEndsWaitForTheLoadOfTheirOwnJvm() {
		try (HeldLoad elsewhere = this.fixture.start(this.cache, PRODUCT, 43, "theirs");
				HeldLoad held = this.fixture.start(this.impatient, IMPATIENT, 42, "value")) {
			Future<String> second = this.fixture.async(() -> this.impatient.get(IMPATIENT, 42, counted(held)));
			CompletableFuture<String> third = this.impatient.getAsync(IMPATIENT, 42,
					() -> CompletableFuture.completedFuture("third"));
			Future<String> other = this.fixture.async(() -> this.impatient.get(IMPATIENT, 43, () -> "past the cache"));
			this.clock.runHeld(3);
			assertThat(join(other)).isEqualTo("past the cache");
			assertThat(List.of(held.end(), join(second), join(third))).containsOnly("value");
			assertThat(elsewhere.end()).isEqualTo("theirs");
		}
		assertThat(this.loads).hasValue(0);
	}

	@Test
	void anEntryOfAnotherJvmIsReadWhileThisJvmLoadsAfterItsWaitTime() {
		try (HeldLoad theirs = this.fixture.start(this.cache, PRODUCT, 42, "theirs");
				HeldLoad ours = new HeldLoad("ours")) {
			this.fixture.async(() -> this.impatient.get(IMPATIENT, 42, ours));
			this.clock.runHeld(1);
			ours.awaitStart();
			theirs.end();
			assertThat(join(this.fixture.async(() -> this.impatient.get(WITH_DEFAULTS, 42, counted(ours)))))
				.isEqualTo("theirs");
		}
		assertThat(this.loads).hasValue(0);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aLoadThatNeverEndsLosesItsLeaseToAnotherOfAnyJvm(boolean same) {
		try (HeldLoad endless = this.fixture.start(this.cache, SHORT_LOADS, 42, "late")) {
			assertThat(same ? this.cache.get(SHORT_LOADS, 42, () -> "new")
					: this.hasty.get(WITH_DEFAULTS, 42, () -> "new"))
				.isEqualTo("new");
			assertThat(endless.end()).isEqualTo("late");
		}
		assertThat((same ? this.hasty : this.cache).getIfPresent(PRODUCT, 42)).isEqualTo(new CachedValue<>("new"));
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callersThatWaitForAnotherLoadWhenTheirCacheIsClosedLoad(boolean ofOwnJvm) {
		try (HeldLoad theirs = this.fixture.start(ofOwnJvm ? this.cache : this.hasty, PRODUCT, 42, "theirs")) {
			Future<String> waiting = this.fixture.async(() -> this.cache.get(PRODUCT, 42, () -> "ours"));
			Future<Map<Integer, String>> several = this.fixture
				.async(() -> this.cache.getAll(PRODUCT, List.of(42), (keys) -> Map.of(42, "ours")));
			Waiters.await(2);
			CompletableFuture<String> later = this.cache.getAsync(PRODUCT, 42,
					() -> CompletableFuture.completedFuture("ours"));
			this.cache.close();
			if (ofOwnJvm) {
				theirs.release();
			}
			assertThat(List.of(join(waiting), join(later))).containsOnly("ours");
			assertThat(join(several)).containsValue("ours");
			assertThat(theirs.end()).isEqualTo("theirs");
		}
	}

	@Test
	void aLeaseWhoseReplyWasLostDoesNotKeepOthersWaiting() {
		AtomicBoolean lost = new AtomicBoolean();
		CacheTemplate unlucky = this.fixture.intercepted(losing(lost));
		// the lease must not just expire
		CacheSpec<String> leased = WITH_DEFAULTS
			.with((settings) -> settings.withWaitTimeout(Duration.ofMinutes(2)).withLease(Duration.ofMinutes(1)));
		assertThat(unlucky.get(leased, 42, () -> "past the cache")).isEqualTo("past the cache");
		assertThat(lost).isTrue();
		Awaitility.await().untilAsserted(() -> assertThat(this.redis.command("KEYS", "*:l")).isEqualTo(List.of()));
	}

	@Test
	void aLoadThatFailsIsTriedOnceByEachJvmWithWaiters() {
		try (HeldLoad failing = new HeldLoad(null)) {
			List<Future<String>> callers = Stream.of(this.cache, this.hasty, this.fixture.warmTemplate())
				.flatMap((jvm) -> IntStream.range(0, 100)
					.mapToObj((i) -> this.fixture.async(() -> jvm.get(WITH_DEFAULTS, 42, counted(failing)))))
				.toList();
			failing.awaitStart();
			Awaitility.await().until(() -> Waiters.count() + this.loads.get() >= 300);
			failing.release();
			assertThat(callers)
				.allSatisfy((caller) -> assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> join(caller))
					.withStackTraceContaining("The load fails as it should"));
		}
		assertThat(this.loads.get()).isBetween(1, 3);
	}

	/** Lower bounds only: the JVMs measure them, and a busy machine adds to them. */
	@Test
	void afterAFailedLoadNoJvmLoadsForAsLongAsItTook() {
		AtomicLong failedNanos = new AtomicLong();
		AtomicLong nextNanos = new AtomicLong(Long.MAX_VALUE);
		CacheLoader<String, RuntimeException> next = () -> {
			nextNanos.accumulateAndGet(System.nanoTime(), Math::min);
			return "new";
		};
		CountDownLatch started = new CountDownLatch(1);
		Future<String> failing = this.fixture.async(() -> this.cache.get(WITH_DEFAULTS, 42, () -> {
			started.countDown();
			long start = System.nanoTime();
			Awaitility.await().until(() -> Waiters.count() > 0 && System.nanoTime() - start > 400_000_000);
			failedNanos.set(System.nanoTime());
			throw new IllegalStateException("no");
		}));
		Awaitility.await().until(() -> started.getCount() == 0);
		Future<String> waiter = this.fixture.async(() -> this.hasty.get(WITH_DEFAULTS, 42, next));
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> join(failing));
		assertThat(this.cache.get(WITH_DEFAULTS, 42, next)).isEqualTo("new");
		assertThat(join(waiter)).isEqualTo("new");
		assertThat(nextNanos.get() - failedNanos.get()).isGreaterThan(395_000_000);
	}

	@Test
	void aFailedRefreshPausesAllJvms() {
		List<Object> pauses = new CopyOnWriteArrayList<>();
		CacheTemplate failing = this.fixture.notingPauses(pauses);
		failing.put(PRODUCT, 42, "old");
		assertThat(join(failing.refresh(PRODUCT, 42, () -> {
			throw new IllegalStateException("no");
		}))).isFalse();
		assertThat(pauses).containsExactly(1000L);
	}

	private CacheLoader<String, RuntimeException> counted(HeldLoad load) {
		return () -> {
			this.loads.incrementAndGet();
			return load.load();
		};
	}

	/** A store that loses its first reply to an acquire. */
	private static MethodInterceptor losing(AtomicBoolean lost) {
		return (call) -> {
			Object reply = call.proceed();
			boolean first = call.getMethod().getName().equals("acquire") && lost.compareAndSet(false, true);
			return (first && reply instanceof CompletableFuture<?> future) ? future.thenCompose(
					(answer) -> CompletableFuture.failedFuture(new IllegalStateException("The connection was lost")))
					: reply;
		};
	}

}
