package io.github.lockboot.cache.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheSettings;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.fixture.RedisServer;

import static io.github.lockboot.cache.engine.CacheFixture.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Entries that are refreshed in the background, and copies in the JVM.
 */
class RedisCacheRefreshTests extends WarmCacheTests {

	private static final CacheSpec<String> STALE = PRODUCT
		.with((settings) -> settings.withTtl(Duration.ofMillis(50)).withStaleTtl(Duration.ofMinutes(1)));

	RedisCacheRefreshTests(RedisServer redis) {
		super(redis);
	}

	@Test
	void anExpiredEntryIsServedWhileOneCallerRefreshesIt() {
		this.cache.get(STALE, 42, this.fixture::load);
		HeldLoad held = new HeldLoad("new");
		Awaitility.await().until(() -> {
			assertThat(this.cache.get(STALE, 42, held)).isEqualTo("value 1");
			return this.fixture.count(CacheEvent.STALE_HIT) > 0;
		});
		held.awaitStart();
		assertThat(this.cache.get(STALE, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.fixture.template().get(STALE, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.fixture.loads).hasValue(1);
		held.release();
		Awaitility.await().untilAsserted(() -> assertThat(this.cache.get(STALE, 42, held)).isEqualTo("new"));
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.count(CacheEvent.REFRESHED)).isPositive());
	}

	@Test
	void anExpiredEntryIsServedWhileItsLoaderFails() {
		this.cache.get(STALE, 42, this.fixture::load);
		AtomicInteger failures = new AtomicInteger();
		Awaitility.await().until(() -> {
			assertThat(this.cache.get(STALE, 42, () -> {
				failures.incrementAndGet();
				throw new IllegalStateException("no");
			})).isEqualTo("value 1");
			return failures.get() > 0;
		});
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.count(CacheEvent.REFRESH_FAILED)).isPositive());
		assertThat(this.cache.get(STALE, 42, this.fixture::load)).isEqualTo("value 1");
	}

	@Test
	void anEvictDuringALoadInTheBackgroundWins() {
		this.cache.get(STALE, 42, this.fixture::load);
		HeldLoad held = new HeldLoad("old");
		Awaitility.await().until(() -> {
			this.cache.get(STALE, 42, held);
			return this.fixture.count(CacheEvent.STALE_HIT) > 0;
		});
		held.awaitStart();
		this.cache.evict("product", 42);
		held.release();
		Awaitility.await().untilAsserted(() -> assertThat(this.fixture.count(CacheEvent.REFUSED)).isEqualTo(1));
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 2");
	}

	/** The thread of the connection would wait for a reply that only it can read. */
	@Test
	void aCallbackOfARefreshMayUseTheCache() {
		HeldLoad held = new HeldLoad("new");
		CompletableFuture<String> told = this.cache.refresh(PRODUCT, 42, held)
			.thenApply((stored) -> this.cache.get(PRODUCT, 42, this.fixture::load));
		held.awaitStart();
		held.release();
		assertThat(told).succeedsWithin(Duration.ofSeconds(30)).isEqualTo("new");
	}

	@Test
	void refreshesEndWhenTheCacheIsClosed() {
		HeldLoad held = new HeldLoad("new");
		List<CompletableFuture<Boolean>> refreshes = IntStream.range(0, 5)
			.mapToObj((key) -> this.cache.refresh(PRODUCT, key, held))
			.toList();
		held.awaitStart();
		this.cache.close();
		assertThat(refreshes).allSatisfy((refresh) -> assertThat(join(refresh)).isFalse());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aRefreshWhoseWrapperFailsOrDoesNotRunItReleasesItsLease(boolean fails) {
		CacheTemplate wrapped = CacheFixture.warm(this.fixture.template(Runnable::run, (task) -> () -> {
			if (fails) {
				throw new IllegalStateException("no context");
			}
		}));
		assertThat(join(wrapped.refresh(PRODUCT, 42, this.fixture::load))).isFalse();
		assertThat(this.fixture.count(CacheEvent.REFRESH_FAILED)).isEqualTo(1);
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
		assertThat(this.cache.getIfPresent(PRODUCT, 42)).isNotNull();
	}

	@Test
	void aLocalCopyDoesNotOutliveTheGraceOfAnEvict() {
		CacheSpec<String> local = with((s) -> s.withLocalTtl(Duration.ofMinutes(10)));
		this.cache.evict(CacheEviction.of("product", 42).withGrace(Duration.ofSeconds(2)));
		this.cache.get(local, 42, this.fixture::load);
		Awaitility.await().until(() -> !this.cache.get(local, 42, this.fixture::load).equals("value 1"));
	}

	@Test
	void duringARefreshTheOldEntryIsServedAndNoOtherCallerLoads() {
		this.cache.get(PRODUCT, 42, this.fixture::load);
		try (HeldLoad held = new HeldLoad("new")) {
			CompletableFuture<Boolean> refreshing = this.cache.refresh(PRODUCT, 42, held);
			held.awaitStart();
			assertThat(join(this.cache.refresh(PRODUCT, 42, this.fixture::load))).isFalse();
			assertThat(join(this.fixture.template().refresh(PRODUCT, 42, this.fixture::load))).isFalse();
			assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("value 1");
			held.release();
			assertThat(join(refreshing)).isTrue();
		}
		assertThat(this.cache.get(PRODUCT, 42, this.fixture::load)).isEqualTo("new");
	}

	@Test
	void aLoadInTheBackgroundHasTheContextOfItsCaller() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		CacheTemplate decorated = CacheFixture.warm(this.fixture.template(Runnable::run, (task) -> {
			String mine = tenant.get();
			return () -> {
				tenant.set(mine);
				try {
					task.run();
				}
				finally {
					tenant.remove();
				}
			};
		}));
		tenant.set("blue");
		join(decorated.refresh(PRODUCT, 42, () -> "of " + tenant.get()));
		tenant.remove();
		assertThat(decorated.get(PRODUCT, 42, this.fixture::load)).isEqualTo("of blue");
	}

	@Test
	void anEagerEntryIsRefreshedBeforeItExpires() {
		CacheSpec<String> eager = with((s) -> s.withTtl(Duration.ofSeconds(60)).withRefreshAhead(100));
		this.cache.get(eager, 42, () -> {
			long start = System.nanoTime();
			Awaitility.await().until(() -> System.nanoTime() - start > 200_000_000L);
			return "first";
		});
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.cache.get(eager, 42, this.fixture::load)).isEqualTo("value 1"));
		assertThat(this.fixture.count(CacheEvent.STALE_HIT)).isZero();
		assertThat(this.fixture.count(CacheEvent.MISS)).isEqualTo(1);
	}

	@Test
	void aLocalCopyIsServedWithoutACommand() {
		CacheSpec<String> local = with((s) -> s.withLocalTtl(Duration.ofMinutes(1)));
		this.fixture.awaitCopy(this.cache, local, 42, "copy");
		long before = this.fixture.count(CacheEvent.LOCAL_HIT);
		// the epoch may be read as well, once a second
		Awaitility.await()
			.pollInterval(Duration.ofMillis(1))
			.untilAsserted(() -> assertThat(
					this.redis.commandsDuring(() -> this.cache.get(local, 42, this.fixture::load)).total())
				.isZero());
		assertThat(this.fixture.count(CacheEvent.LOCAL_HIT)).isGreaterThan(before);
	}

	@Test
	void evictThenGetIsStrictInTheJvmWithTheCopy() {
		CacheSpec<String> local = with((s) -> s.withLocalTtl(Duration.ofMinutes(1)));
		this.fixture.awaitCopy(this.cache, local, 42, "copy");
		for (int i = 0; i < 200; i++) {
			int before = this.fixture.loads.get();
			this.cache.evict("product", 42);
			this.cache.get(local, 42, this.fixture::load);
			assertThat(this.fixture.loads).hasValue(before + 1);
		}
	}

	@Test
	void aLocalCopyOfAnotherTypeIsAMiss() {
		CacheSpec<Circle> circles = CacheSpec.of("product", Circle.class)
			.with((settings) -> settings.withLocalTtl(Duration.ofMinutes(1)));
		CacheSpec<Square> squares = CacheSpec.of("product", Square.class)
			.with((settings) -> settings.withLocalTtl(Duration.ofMinutes(1)));
		this.fixture.awaitCopy(this.cache, circles, 42, new Circle(1));
		assertThat(this.cache.getIfPresent(squares, 42)).isNull();
		assertThat(this.cache.get(squares, 42, () -> new Square(2L))).isEqualTo(new Square(2L));
	}

	private static CacheSpec<String> with(UnaryOperator<CacheSettings> settings) {
		return PRODUCT.with(settings);
	}

	private static boolean join(CompletableFuture<Boolean> future) {
		return future.orTimeout(30, TimeUnit.SECONDS).join();
	}

	record Circle(int size) {
	}

	/** Has the same JSON. */
	record Square(Long size) {
	}

}
