package io.github.lockboot.cache.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import reactor.core.publisher.Mono;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.NewThreadExecutor;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Methods that evict before they run, and puts that are not stored.
 */
@RedisTest
@Timeout(60)
class CachedEvictTests {

	private static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

	private static final Duration LONG = Duration.ofSeconds(20);

	private final ApplicationContextRunner runner;

	CachedEvictTests(RedisServer redis) {
		this.runner = CachedApplication.withDatabase(redis).withBean(Shop.class);
	}

	@Test
	void entriesThatOthersStoreWhileTheMethodRunsAreEvictedToo() {
		run((shop, cache, transactions) -> {
			shop.evictEarlyAnd(1, () -> cacheElsewhere(cache));
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void theEntryIsEvictedEvenIfTheMethodFails() {
		run((shop, cache, transactions) -> {
			assertThatIllegalStateException().isThrownBy(() -> shop.evictEarlyAnd(1, () -> {
				cacheElsewhere(cache);
				throw new IllegalStateException("no");
			})).withMessage("no");
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void inATransactionAnEntryIsEvictedBeforeTheMethodRunsAndAfterTheCommit() {
		run((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			transactions.executeWithoutResult((status) -> {
				shop.evictEarlyAnd(1, () -> assertThat(cached(cache)).isNull());
				cacheElsewhere(cache);
			});
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void aMethodThatFailsInATransactionThatIsCommittedEvictsAfterTheCommit() {
		run((shop, cache, transactions) -> {
			transactions.executeWithoutResult((status) -> {
				assertThatIllegalStateException().isThrownBy(() -> shop.evictEarlyAnd(1, () -> {
					throw new IllegalStateException("caught");
				}));
				cacheElsewhere(cache);
			});
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void allEntriesAreEvictedBeforeTheMethodRuns() {
		run((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			shop.evictAllEarlyAnd(() -> assertThat(cache.getIfPresent(PRODUCT, 1)).isNull());
		});
	}

	@Test
	void aStageThatFailsEvictsBeforeAndAfter() {
		run((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			CompletableFuture<String> stage = new CompletableFuture<>();
			CompletableFuture<String> changing = shop.evictEarlyAndStage(1, stage);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
			cacheElsewhere(cache);
			stage.completeExceptionally(new IllegalStateException("no"));
			assertThatException().isThrownBy(() -> changing.orTimeout(20, TimeUnit.SECONDS).join())
				.withRootCauseInstanceOf(IllegalStateException.class);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void aMonoThatFailsEvictsBeforeAndAfter() {
		run((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			Mono<String> failing = Mono.fromSupplier(() -> {
				assertThat(cached(cache)).isNull();
				cacheElsewhere(cache);
				throw new IllegalStateException("no");
			});
			Mono<String> changing = shop.evictEarlyAndMono(1, failing);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNotNull();
			assertThatIllegalStateException().isThrownBy(() -> changing.block(LONG));
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void anEarlyEvictThatTheConditionExcludesDoesNotHappen() {
		run((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			shop.evictEarlyIf(1, false);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNotNull();
			shop.evictEarlyIf(1, true);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void aResultThatUnlessExcludesEvictsAfterTheCommit() {
		run((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			transactions.executeWithoutResult((status) -> {
				shop.replace(1, "secret");
				assertThat(cached(cache)).isEqualTo(new CachedValue<>("old"));
			});
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void aResultThatUnlessExcludesRemovesNoNewerEntry() {
		run((shop, cache, transactions) -> {
			shop.replaceVersioned(1, "two", 2L);
			shop.replaceVersioned(1, "secret", 1L);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isEqualTo(new CachedValue<>("two"));
			shop.replaceVersioned(1, "secret", 4L);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void aResultThatUnlessExcludesNeedsNoVersion() {
		run((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			shop.replaceVersioned(1, "secret", null);
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void aMethodThatEvictsLeavesTheLocalCopiesOfItsCacheInUse() {
		this.runner.withPropertyValues("lock.cache.local-ttl=1h", "lock.cache.local-outage-ttl=1h")
			.withBean(Stock.class)
			.withBean(LocalHits.class)
			.run((context) -> {
				CacheOperations cache = context.getBean(CacheOperations.class);
				CacheSpec<String> stock = CacheSpec.of("stock", String.class);
				LocalHits hits = context.getBean(LocalHits.class);
				Awaitility.await().atMost(LONG).until(() -> {
					cache.get(stock, 1, () -> "ten");
					return hits.count.get() > 0;
				});
			});
	}

	private static @Nullable Object cached(CacheOperations cache) {
		return elsewhere(() -> cache.getIfPresent(PRODUCT, 1));
	}

	/** Runs in a thread without a transaction. */
	private static void cacheElsewhere(CacheOperations cache) {
		assertThat(elsewhere(() -> cache.get(PRODUCT, 1, () -> "old"))).isEqualTo("old");
	}

	private static <T extends @Nullable Object> T elsewhere(Supplier<T> task) {
		return CompletableFuture.supplyAsync(task, NewThreadExecutor::run).orTimeout(30, TimeUnit.SECONDS).join();
	}

	private void run(Story story) {
		this.runner.run((context) -> {
			CacheOperations cache = context.getBean(CacheOperations.class);
			FirstConnection.await(cache);
			story.tell(context.getBean(Shop.class), cache,
					new TransactionTemplate(context.getBean(PlatformTransactionManager.class)));
		});
	}

	/** The log of events in the application. */
	private interface Story {

		void tell(Shop shop, CacheOperations cache, TransactionTemplate transactions);

	}

	static class Shop {

		@RedisCacheEvict(name = "product", key = "#id", beforeInvocation = true)
		public void evictEarlyAnd(int id, Runnable then) {
			then.run();
		}

		@RedisCacheEvict(name = "product", allEntries = true, beforeInvocation = true)
		public void evictAllEarlyAnd(Runnable then) {
			then.run();
		}

		@RedisCacheEvict(name = "product", key = "#id", beforeInvocation = true)
		public CompletableFuture<String> evictEarlyAndStage(int id, CompletableFuture<String> stage) {
			return stage;
		}

		@RedisCacheEvict(name = "product", key = "#id", beforeInvocation = true)
		public Mono<String> evictEarlyAndMono(int id, Mono<String> mono) {
			return mono;
		}

		@RedisCacheEvict(name = "product", key = "#id", condition = "#wanted", beforeInvocation = true)
		public void evictEarlyIf(int id, boolean wanted) {
		}

		@RedisCachePut(name = "product", key = "#id", unless = "#result == 'secret'")
		public String replace(int id, String name) {
			return name;
		}

		@RedisCachePut(name = "product", key = "#id", version = "#version", unless = "#result == 'secret'")
		public String replaceVersioned(int id, String name, @Nullable Long version) {
			return name;
		}

	}

	static class Stock {

		@RedisCacheEvict(name = "stock", key = "#id")
		public void sell(int id) {
		}

	}

	static class LocalHits implements CacheListener {

		private final AtomicInteger count = new AtomicInteger();

		@Override
		public void onEvent(String cacheName, CacheEvent event) {
			if (event == CacheEvent.LOCAL_HIT) {
				this.count.incrementAndGet();
			}
		}

	}

}
