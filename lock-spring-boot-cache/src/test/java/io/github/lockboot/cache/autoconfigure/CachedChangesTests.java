package io.github.lockboot.cache.autoconfigure;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import reactor.core.publisher.Mono;

import io.github.lockboot.cache.CacheEvent;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheListener;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Evicts of annotated methods, before they run and by tags, and puts, also with versions
 * and such that are not stored.
 */
@RedisTest
@Timeout(180)
class CachedChangesTests {

	private static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

	private static final Duration LONG = Duration.ofSeconds(20);

	private static final CacheSpec<Product> VERSIONED = CacheSpec.of("product", Product.class);

	private final ApplicationContextRunner runner;

	CachedChangesTests(RedisServer redis) {
		this.runner = CachedApplication.withDatabase(redis)
			.withBean(Shop.class)
			.withBean(TaggedShop.class)
			.withBean(VersionedShop.class);
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
		return CachedApplication.elsewhere(() -> cache.getIfPresent(PRODUCT, 1));
	}

	/** Runs in a thread without a transaction. */
	private static void cacheElsewhere(CacheOperations cache) {
		assertThat(CachedApplication.elsewhere(() -> cache.get(PRODUCT, 1, () -> "old"))).isEqualTo("old");
	}

	@ParameterizedTest
	@ValueSource(strings = { "shop:1", "colour:red" })
	void theEntriesOfReadsAndPutsAreEvictedByEachOfTheirTags(String tag) {
		runTagged((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			shop.findAsync(2, 1, "red").orTimeout(20, TimeUnit.SECONDS).join();
			shop.replace(3, 1, "red");
			shop.find(4, 2, "blue");
			shop.find(5, 2, null);
			assertThat(present(cache)).isEqualTo("12345");
			shop.change(tag);
			assertThat(present(cache)).isEqualTo("45");
		});
	}

	@Test
	void severalTagsAreEvictedAndThoseOfTheResultToo() {
		runTagged((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			shop.find(2, 2, "blue");
			shop.find(3, 3, "green");
			shop.repaint(1, "blue");
			assertThat(present(cache)).isEqualTo("3");
			shop.repaint(3, null);
			assertThat(present(cache)).isEmpty();
		});
	}

	@Test
	void inATransactionTheEvictComesAfterTheCommit() {
		runTagged((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			transactions.executeWithoutResult((status) -> {
				shop.change("shop:1");
				assertThat(CachedApplication.elsewhere(() -> present(cache))).isEqualTo("1");
				assertThat(shop.find(1, 1, "of the transaction")).isEqualTo("of the transaction");
			});
			assertThat(present(cache)).isEmpty();
		});
	}

	@Test
	void anEarlyEvictComesBeforeTheMethodToo() {
		runTagged((shop, cache, transactions) -> {
			shop.find(1, 1, "red");
			shop.changeEarly("shop:1", () -> {
				assertThat(present(cache)).isEmpty();
				shop.find(1, 1, "old");
			});
			assertThat(present(cache)).isEmpty();
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void aPutWhoseTagsFailEvictsItsEntry(boolean tooMany) {
		Object tags = tooMany ? IntStream.range(0, 500).boxed().toList() : new Object();
		runTagged((shop, cache, transactions) -> {
			cache.put(PRODUCT, 1, "old");
			assertThatException().isThrownBy(() -> shop.retag(1, tags)).withMessageContaining("of cache 'product'");
			assertThat(present(cache)).isEmpty();
			cache.put(PRODUCT, 1, "old");
			assertThatException().isThrownBy(() -> transactions.executeWithoutResult((status) -> shop.retag(1, tags)))
				.withMessageContaining("of cache 'product'");
			assertThat(present(cache)).isEmpty();
			cache.put(PRODUCT, 1, "old");
			assertThatException()
				.isThrownBy(() -> cache.put(PRODUCT.withTags((value) -> List.of(new Object())), 1, "new"));
			assertThat(present(cache)).isEmpty();
		});
	}

	private static String present(CacheOperations cache) {
		StringBuilder found = new StringBuilder();
		for (int key = 1; key < 6; key++) {
			found.append((cache.getIfPresent(PRODUCT, key) != null) ? key : "");
		}
		return found.toString();
	}

	static Object[] wholeNumbers() {
		return new Object[] { 7L, 7, (short) 7, new BigDecimal("7.0"), 7.0 };
	}

	static Object[] noVersions() {
		return new Object[] { "7", 7.5, new BigDecimal("9223372036854775808"), Double.NaN };
	}

	@Test
	void aVersionMayBeInAStageOrAnOptional() {
		runVersioned((shop, cache) -> {
			shop.later(new Product(1, "two", 2L)).orTimeout(120, TimeUnit.SECONDS).join();
			shop.later(new Product(1, "late", 1L)).orTimeout(120, TimeUnit.SECONDS).join();
			assertThat(cachedProduct(cache)).extracting(Product::name).isEqualTo("two");
			shop.maybe(Optional.of(new Product(1, "late", 1L)));
			assertThat(cachedProduct(cache)).extracting(Product::name).isEqualTo("two");
		});
	}

	@ParameterizedTest
	@MethodSource("wholeNumbers")
	void anyIntegerIsAVersion(Object version) {
		runVersioned((shop, cache) -> {
			shop.saveAs(new Product(1, "seven", null), version);
			assertThat(cache.putIfNewer(VERSIONED, 1, new Product(1, "late", null), 7)).isFalse();
			assertThat(cache.putIfNewer(VERSIONED, 1, new Product(1, "newer", null), 8)).isTrue();
		});
	}

	@ParameterizedTest
	@MethodSource("noVersions")
	void aValueThatIsNotAnIntegerIsAnErrorThatNamesMethodAndAttribute(Object version) {
		runVersioned((shop, cache) -> assertThatExceptionOfType(CacheKeyException.class)
			.isThrownBy(() -> shop.saveAs(new Product(1, "x", null), version))
			.withMessageMatching("The version '#version' in @RedisCachePut of .*Shop.saveAs\\(.*Product,Object\\)"
					+ " for cache 'product' is .*n(o|o whole) number.*"));
	}

	@Test
	void aMissingVersionIsAnErrorThatNamesMethodAndAttribute() {
		String version = "The version '#result.version' in @RedisCachePut of ";
		runVersioned((shop, cache) -> {
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.save(new Product(1, "x", null)))
				.withMessageContaining(version)
				.withMessageContaining("CachedChangesTests$Product) for cache 'product' is null");
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.maybe(Optional.empty()))
				.withMessageContaining(version)
				.withMessageContaining("Shop.maybe(java.util.Optional) for cache 'product' can't be evaluated");
		});
	}

	@Test
	void aResultWithoutAVersionLeavesNoOldOneBehind() {
		runVersioned((shop, cache) -> {
			shop.save(new Product(1, "one", 1L));
			assertThat(shop.save(null)).isNull();
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.save(new Product(1, "two", null)));
			assertThat(cache.getIfPresent(VERSIONED, 1)).isNull();
		});
	}

	@Test
	void otherChangesOfTheMethodHappenEvenWithoutAVersion() {
		runVersioned((shop, cache) -> {
			CacheSpec<String> list = CacheSpec.of("list", String.class);
			cache.put(list, "all", "old");
			assertThatExceptionOfType(CacheKeyException.class)
				.isThrownBy(() -> shop.saveAndEvictLists(new Product(1, "one", null)));
			assertThat(cache.getIfPresent(list, "all")).isNull();
		});
	}

	private static @Nullable Product cachedProduct(CacheOperations cache) {
		CachedValue<Product> found = cache.getIfPresent(VERSIONED, 1);
		return (found != null) ? found.value() : null;
	}

	private void run(CachedApplication.Story<Shop> story) {
		CachedApplication.run(this.runner, Shop.class, story);
	}

	private void runTagged(CachedApplication.Story<TaggedShop> story) {
		CachedApplication.run(this.runner, TaggedShop.class, story);
	}

	private void runVersioned(BiConsumer<VersionedShop, CacheOperations> story) {
		CachedApplication.run(this.runner, VersionedShop.class, story);
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

	static class TaggedShop {

		@RedisCache(name = "product", key = "#id",
				tags = "{'shop:' + #shop, #result != null ? 'colour:' + #result : null}")
		public @Nullable String find(int id, int shop, @Nullable String colour) {
			return colour;
		}

		@RedisCache(name = "product", key = "#id", tags = "{'shop:' + #shop, 'colour:' + #result}")
		public CompletableFuture<String> findAsync(int id, int shop, String colour) {
			return CompletableFuture.completedFuture(colour);
		}

		@RedisCachePut(name = "product", key = "#id", tags = "{'shop:' + #shop, 'colour:' + #result}")
		public String replace(int id, int shop, String colour) {
			return colour;
		}

		@RedisCachePut(name = "product", key = "#id", tags = "#tags")
		public String retag(int id, Object tags) {
			return "new";
		}

		@RedisCacheEvict(name = "product", tags = "#tag")
		public void change(String tag) {
		}

		@RedisCacheEvict(name = "product", tags = "#tag", beforeInvocation = true)
		public void changeEarly(String tag, Runnable then) {
			then.run();
		}

		@RedisCacheEvict(name = "product", tags = "{'shop:' + #shop, #result != null ? 'colour:' + #result : null}")
		public @Nullable String repaint(int shop, @Nullable String colour) {
			return colour;
		}

	}

	record Product(int id, String name, @Nullable Long version) {

	}

	static class VersionedShop {

		@RedisCachePut(name = "product", key = "#result.id", version = "#result.version", unless = "#result == null")
		public @Nullable Product save(@Nullable Product product) {
			return product;
		}

		@RedisCachePut(name = "product", key = "#result.id", version = "#result.version")
		@RedisCacheEvict(name = "list", allEntries = true)
		public Product saveAndEvictLists(Product product) {
			return product;
		}

		@RedisCachePut(name = "product", key = "#product.id", version = "#version")
		public Product saveAs(Product product, Object version) {
			return product;
		}

		@RedisCachePut(name = "product", key = "#result.id", version = "#result.version")
		public CompletableFuture<Product> later(Product product) {
			return CompletableFuture.supplyAsync(() -> product);
		}

		@RedisCachePut(name = "product", key = "1", version = "#result.version")
		public Optional<Product> maybe(Optional<Product> product) {
			return product;
		}

	}

}
