package io.github.lockboot.cache.redis;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheInterruptedException;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static io.github.lockboot.cache.redis.CacheFixture.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Callers that wait for the load of another JVM.
 */
@Timeout(60)
class WaitingCallerTests extends WarmCacheTests {

	WaitingCallerTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void aCallerFailsWhenItsWaitTimeEndsIfConfigured() {
		CacheSpec<String> impatient = PRODUCT
			.with((settings) -> settings.withWaitTimeout(Duration.ofMillis(1)).withOnWaitTimeout(OnWaitTimeout.FAIL));
		RedisCacheTemplate hasty = this.fixture.hasty();
		try (HeldLoad held = new HeldLoad("late")) {
			this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			assertThatExceptionOfType(CacheWaitTimeoutException.class)
				.isThrownBy(() -> hasty.get(impatient, 42, this.fixture::load));
		}
		assertThat(this.fixture.loads).hasValue(0);
	}

	@Test
	void anInterruptedCallerDoesNotAffectTheOthers() throws Exception {
		try (HeldLoad held = new HeldLoad("value")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
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
			held.release();
			assertThat(join(loading)).isEqualTo("value");
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
		HeldReplyStore held = new HeldReplyStore();
		RedisCacheTemplate slow = CacheFixture
			.warm(this.fixture.template(CacheFixture.PATIENT, (store) -> held.around(store, "evict")));
		Future<?> evicting = this.fixture.async(() -> {
			Thread.currentThread().interrupt();
			slow.evict("product", 42);
			return Thread.interrupted();
		});
		held.awaitHeld();
		assertThat(evicting).isNotDone();
		held.release();
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
	void aCallThatSharesAFailureIsCounted() {
		try (HeldLoad held = new HeldLoad(null)) {
			this.fixture.async(() -> this.cache.get(PRODUCT, 42, held));
			held.awaitStart();
			Future<String> waiting = this.fixture.async(() -> this.cache.get(PRODUCT, 42, this.fixture::load));
			Waiters.await(1);
			held.release();
			assertThatExceptionOfType(ExecutionException.class).isThrownBy(waiting::get);
		}
		assertThat(this.fixture.count(CacheEvent.SHARED)).isOne();
	}

	@Test
	void noCallerWaitsForALoadAfterAnEvictOfAnotherJvm() {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withLease(Duration.ofMillis(600)));
		RedisCacheTemplate other = this.fixture.template();
		try (HeldLoad held = new HeldLoad("old")) {
			this.fixture.async(() -> this.cache.get(brief, 42, held));
			held.awaitStart();
			Future<String> waiting = this.fixture.async(() -> this.cache.get(brief, 42, this.fixture::load));
			Waiters.await(1);
			other.evict("product", 42);
			assertThat(join(waiting)).isEqualTo("value 1");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "cache:product:epoch", "cache:product:{product:42}:t", "cache:product:%s:{product:42}:w" })
	void aKeyOfAnotherTypeIsRepaired(String name) {
		this.cache.evict("product", 42);
		String key = name.formatted(this.redis.command("GET", "cache:product:epoch"));
		this.redis.command("DEL", key);
		this.redis.command("LPUSH", key, "a list");
		RedisCacheTemplate other = this.fixture.template();
		try (HeldLoad held = new HeldLoad("value")) {
			Future<String> loading = this.fixture.async(() -> other.get(PRODUCT, 42, held));
			held.awaitStart();
			Future<String> waiting = this.fixture
				.async(() -> this.fixture.template().get(PRODUCT, 42, this.fixture::load));
			Waiters.await(1);
			held.release();
			assertThat(join(loading)).isEqualTo("value");
			assertThat(join(waiting)).isEqualTo("value");
		}
		assertThat(other.getIfPresent(PRODUCT, 42)).isEqualTo(new CachedValue<>("value"));
	}

	@Test
	void aLoadThatLastsLongerThanItsLeaseIsTheOnlyOne() {
		CacheSpec<String> brief = PRODUCT.with((settings) -> settings.withLease(Duration.ofMillis(600)));
		RedisCacheTemplate other = this.fixture.template();
		try (HeldLoad held = new HeldLoad("value")) {
			Future<String> loading = this.fixture.async(() -> this.cache.get(brief, 42, held));
			held.awaitStart();
			long start = System.nanoTime();
			Future<String> waiting = this.fixture.async(() -> other.get(brief, 42, this.fixture::load));
			Awaitility.await().until(() -> System.nanoTime() - start > 2_000_000_000L);
			held.release();
			assertThat(join(loading)).isEqualTo("value");
			assertThat(join(waiting)).isEqualTo("value");
		}
		assertThat(this.fixture.loads).hasValue(0);
	}

}
