package io.github.lockboot.cache.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheSpec;
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

	private CompletableFuture<String> startOf(CompletableFuture<String> source) {
		CompletableFuture<String> loading = this.cache.getAsync(PRODUCT, 42, () -> {
			this.loads.incrementAndGet();
			return source;
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.loads).hasValue(1));
		return loading;
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
