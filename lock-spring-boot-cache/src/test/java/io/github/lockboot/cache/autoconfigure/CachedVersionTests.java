package io.github.lockboot.cache.autoconfigure;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Methods whose results have a version.
 */
@RedisTest
@Timeout(180)
class CachedVersionTests {

	private static final CacheSpec<Product> PRODUCT = CacheSpec.of("product", Product.class);

	private final ApplicationContextRunner runner;

	CachedVersionTests(RedisServer redis) {
		this.runner = CachedApplication.on(redis).withBean(Shop.class);
	}

	static Object[] wholeNumbers() {
		return new Object[] { 7L, 7, (short) 7, new BigDecimal("7.0"), 7.0 };
	}

	static Object[] noVersions() {
		return new Object[] { "7", 7.5, new BigDecimal("9223372036854775808"), Double.NaN };
	}

	@Test
	void aVersionMayBeInAStageOrAnOptional() {
		run((shop, cache) -> {
			shop.later(new Product(1, "two", 2L)).orTimeout(120, TimeUnit.SECONDS).join();
			shop.later(new Product(1, "late", 1L)).orTimeout(120, TimeUnit.SECONDS).join();
			assertThat(cached(cache)).extracting(Product::name).isEqualTo("two");
			shop.maybe(Optional.of(new Product(1, "late", 1L)));
			assertThat(cached(cache)).extracting(Product::name).isEqualTo("two");
		});
	}

	@ParameterizedTest
	@MethodSource("wholeNumbers")
	void anyIntegerIsAVersion(Object version) {
		run((shop, cache) -> {
			shop.saveAs(new Product(1, "seven", null), version);
			assertThat(cache.putIfNewer(PRODUCT, 1, new Product(1, "late", null), 7)).isFalse();
			assertThat(cache.putIfNewer(PRODUCT, 1, new Product(1, "newer", null), 8)).isTrue();
		});
	}

	@ParameterizedTest
	@MethodSource("noVersions")
	void aValueThatIsNotAnIntegerIsAnErrorThatNamesMethodAndAttribute(Object version) {
		run((shop, cache) -> assertThatExceptionOfType(CacheKeyException.class)
			.isThrownBy(() -> shop.saveAs(new Product(1, "x", null), version))
			.withMessageMatching("The version '#version' in @RedisCachePut of .*Shop.saveAs\\(.*Product,Object\\)"
					+ " for cache 'product' is .*n(o|o whole) number.*"));
	}

	@Test
	void aMissingVersionIsAnErrorThatNamesMethodAndAttribute() {
		String version = "The version '#result.version' in @RedisCachePut of ";
		run((shop, cache) -> {
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.save(new Product(1, "x", null)))
				.withMessageContaining(version)
				.withMessageContaining("CachedVersionTests$Product) for cache 'product' is null");
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.maybe(Optional.empty()))
				.withMessageContaining(version)
				.withMessageContaining("Shop.maybe(java.util.Optional) for cache 'product' can't be evaluated");
		});
	}

	@Test
	void aResultWithoutAVersionLeavesNoOldOneBehind() {
		run((shop, cache) -> {
			shop.save(new Product(1, "one", 1L));
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.save(new Product(1, "two", null)));
			assertThat(cache.getIfPresent(PRODUCT, 1)).isNull();
		});
	}

	@Test
	void otherChangesOfTheMethodHappenEvenWithoutAVersion() {
		run((shop, cache) -> {
			CacheSpec<String> list = CacheSpec.of("list", String.class);
			cache.put(list, "all", "old");
			assertThatExceptionOfType(CacheKeyException.class)
				.isThrownBy(() -> shop.saveAndEvictLists(new Product(1, "one", null)));
			assertThat(cache.getIfPresent(list, "all")).isNull();
		});
	}

	private static @Nullable Product cached(CacheOperations cache) {
		CachedValue<Product> found = cache.getIfPresent(PRODUCT, 1);
		return (found != null) ? found.value() : null;
	}

	private void run(BiConsumer<Shop, CacheOperations> story) {
		CachedApplication.run(this.runner, Shop.class, story);
	}

	record Product(int id, String name, @Nullable Long version) {

	}

	static class Shop {

		@RedisCachePut(name = "product", key = "#result.id", version = "#result.version")
		public Product save(Product product) {
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
