package io.github.lockboot.cache.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheWaitTimeoutException;
import io.github.lockboot.cache.OnWaitTimeout;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.redis.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Asynchronous callers.
 */
@Timeout(60)
class RedisCacheAsyncTests extends WarmCacheTests {

	private final AtomicInteger loads = new AtomicInteger();

	RedisCacheAsyncTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void entriesAreSharedWithBlockingCallers() {
		join(this.cache.getAsync(PRODUCT, 42, this::load));
		assertThat(this.cache.get(PRODUCT, 42, () -> "other")).isEqualTo("value 1");
	}

	@Test
	void manyCallersShareALoadAndNoThreadWaits() {
		CompletableFuture<String> source = new CompletableFuture<>();
		List<CompletableFuture<String>> callers = IntStream.range(0, 200)
			.mapToObj((i) -> this.cache.getAsync(PRODUCT, 42, () -> {
				this.loads.incrementAndGet();
				return source;
			}))
			.toList();
		Awaitility.await().untilAsserted(() -> assertThat(this.loads).hasValue(1));
		assertThat(callers).noneMatch(CompletableFuture::isDone);
		assertThat(Waiters.count()).isZero();
		source.complete("shared");
		assertThat(callers).allSatisfy((caller) -> assertThat(join(caller)).isEqualTo("shared"));
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void aCallerWaitsForTheLoadOfAnotherJvm() {
		RedisCacheTemplate other = this.fixture.warmTemplate();
		CompletableFuture<String> source = new CompletableFuture<>();
		CompletableFuture<String> first = this.cache.getAsync(PRODUCT, 42, () -> {
			this.loads.incrementAndGet();
			return source;
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.loads).hasValue(1));
		CompletableFuture<String> second = other.getAsync(PRODUCT, 42, this::load);
		source.complete("theirs");
		assertThat(List.of(join(first), join(second))).containsOnly("theirs");
		assertThat(this.loads).hasValue(1);
	}

	@Test
	void aFailureIsSharedUnchanged() {
		CompletableFuture<String> source = new CompletableFuture<>();
		List<CompletableFuture<String>> callers = IntStream.range(0, 10)
			.mapToObj((i) -> this.cache.getAsync(PRODUCT, 42, () -> {
				this.loads.incrementAndGet();
				return source;
			}))
			.toList();
		Awaitility.await().untilAsserted(() -> assertThat(this.loads).hasValue(1));
		IOException failure = new IOException("no");
		source.completeExceptionally(failure);
		assertThat(callers).allSatisfy((caller) -> assertThat(failureOf(caller)).isSameAs(failure));
		assertThat(this.loads).hasValue(1);
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void aLoaderThatThrowsIsAFailure() {
		IOException failure = new IOException("no");
		assertThat(failureOf(this.cache.getAsync(PRODUCT, 42, () -> {
			throw failure;
		}))).isSameAs(failure);
	}

	@Test
	@SuppressWarnings("NullAway") // a mistake of the loader
	void aLoaderWithoutAStageIsAFailure() {
		assertThat(failureOf(this.cache.getAsync(PRODUCT, 42, () -> null))).isInstanceOf(NullPointerException.class)
			.hasMessageContaining("null instead of a stage");
	}

	@Test
	void anEvictDuringALoadWins() {
		CompletableFuture<String> source = new CompletableFuture<>();
		CompletableFuture<String> loading = this.cache.getAsync(PRODUCT, 42, () -> {
			this.loads.incrementAndGet();
			return source;
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.loads).hasValue(1));
		this.cache.evict("product", 42);
		source.complete("old");
		assertThat(join(loading)).isEqualTo("old");
		assertThat(join(this.cache.getAsync(PRODUCT, 42, this::load))).isEqualTo("value 2");
		assertThat(this.fixture.count(CacheEvent.REFUSED)).isEqualTo(1);
	}

	@Test
	void aCallerLoadsWhenItsWaitTimeEnds() {
		RedisCacheTemplate hasty = this.fixture.hasty();
		CompletableFuture<String> never = new CompletableFuture<>();
		startOf(never);
		assertThat(join(hasty.getAsync(impatient((s) -> s), 42, this::load))).isEqualTo("value 2");
		never.complete("late");
	}

	@Test
	void aCallerFailsWhenItsWaitTimeEndsIfConfigured() {
		RedisCacheTemplate hasty = this.fixture.hasty();
		CacheSpec<String> failing = impatient((settings) -> settings.withOnWaitTimeout(OnWaitTimeout.FAIL));
		CompletableFuture<String> never = new CompletableFuture<>();
		startOf(never);
		assertThat(failureOf(hasty.getAsync(failing, 42, this::load))).isInstanceOf(CacheWaitTimeoutException.class);
		never.complete("late");
	}

	@Test
	void aLoaderThatReadsItsOwnEntryOnItsThreadLoadsDirectly() {
		CacheSpec<String> patient = PRODUCT.with((settings) -> settings.withWaitTimeout(Duration.ofMinutes(5)));
		assertThat(this.cache.get(patient, 42, () -> "outer " + join(this.cache.getAsync(patient, 42, this::load))))
			.isEqualTo("outer value 1");
	}

	@Test
	void anAsynchronousLoaderThatReadsItsOwnEntryOnItsThreadLoadsDirectly() {
		CacheSpec<String> patient = PRODUCT.with((settings) -> settings.withWaitTimeout(Duration.ofMinutes(5)));
		assertThat(join(this.cache.getAsync(patient, 42,
				() -> this.cache.getAsync(patient, 42, this::load).thenApply((inner) -> "outer " + inner))))
			.isEqualTo("outer value 1");
	}

	@Test
	void cancellationOfAFutureEndsNoLoad() {
		CompletableFuture<String> source = new CompletableFuture<>();
		CompletableFuture<String> first = startOf(source);
		CompletableFuture<String> second = this.cache.getAsync(PRODUCT, 42, this::load);
		first.cancel(true);
		source.complete("value");
		assertThat(join(second)).isEqualTo("value");
	}

	@Test
	void termsOfTheLoaderApply() {
		AsyncCacheLoader<String> vetoing = new AsyncCacheLoader<>() {

			@Override
			public CompletableFuture<String> load() {
				return RedisCacheAsyncTests.this.load();
			}

			@Override
			public boolean isStorable(@Nullable String value) {
				return false;
			}

		};
		join(this.cache.getAsync(PRODUCT, 42, vetoing));
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNull();
	}

	@Test
	void anExpiredEntryIsRefreshedInTheBackground() {
		CacheSpec<String> stale = PRODUCT
			.with((s) -> s.withTtl(Duration.ofMillis(50)).withStaleTtl(Duration.ofMinutes(1)));
		join(this.cache.getAsync(stale, 42, this::load));
		Awaitility.await().untilAsserted(() -> {
			join(this.cache.getAsync(stale, 42, this::load));
			assertThat(this.fixture.count(CacheEvent.REFRESHED)).isPositive();
		});
		assertThat(this.fixture.count(CacheEvent.MISS)).isEqualTo(1);
	}

	private CompletableFuture<String> startOf(CompletableFuture<String> source) {
		CompletableFuture<String> loading = this.cache.getAsync(PRODUCT, 42, () -> {
			this.loads.incrementAndGet();
			return source;
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.loads).hasValue(1));
		return loading;
	}

	private static CacheSpec<String> impatient(UnaryOperator<CacheSettings> settings) {
		return PRODUCT.with((before) -> settings.apply(before.withWaitTimeout(Duration.ofMillis(1))));
	}

	private CompletableFuture<String> load() {
		return CompletableFuture.completedFuture("value " + this.loads.incrementAndGet());
	}

	private static <T> T join(CompletableFuture<T> future) {
		return future.orTimeout(30, TimeUnit.SECONDS).join();
	}

	private static Throwable failureOf(CompletableFuture<String> future) {
		return future
			.handle((value, failure) -> (failure != null) ? failure : new AssertionError("No failure but " + value))
			.orTimeout(30, TimeUnit.SECONDS)
			.join();
	}

}
