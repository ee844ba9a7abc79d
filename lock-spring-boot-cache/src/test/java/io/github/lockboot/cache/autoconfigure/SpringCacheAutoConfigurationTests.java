package io.github.lockboot.cache.autoconfigure;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.cache.autoconfigure.CacheAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.Cache;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.CacheEvict;
import org.springframework.cache.annotation.CachePut;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCache;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.cache.support.CompositeCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.core.ResolvableType;

import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.spring.RedisLockCacheManager;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The cache manager of Spring, together with that of Spring Boot.
 */
@RedisTest
class SpringCacheAutoConfigurationTests {

	private static final String BOOTS = "cacheManager";

	private static final String OURS = "redisLockCacheManager";

	private static final AtomicLong NUMBERS = new AtomicLong();

	private final ApplicationContextRunner runner;

	SpringCacheAutoConfigurationTests(RedisServer redis) {
		this.runner = new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(CacheAutoConfiguration.class, DataRedisAutoConfiguration.class,
					RedisCacheAutoConfiguration.class, SpringCacheAutoConfiguration.class))
			.withUserConfiguration(Caching.class)
			// a busy machine must not trip the breaker
			.withPropertyValues("spring.data.redis.url=" + redis.uri(), "lock.cache.command-timeout=5s",
					"lock.cache.caches.price.type=java.lang.Long");
	}

	@ParameterizedTest
	@CsvSource({ "none, false, " + BOOTS, "named, false, " + BOOTS, "named, true, own", "default, false, " + OURS,
			"default, true, " + OURS })
	void theDefaultManagerIsOursOnlyIfThePropertySaysSo(String manager, boolean own, String expected) {
		ApplicationContextRunner runner = own ? this.runner.withBean("own", ConcurrentMapCacheManager.class)
				: this.runner;
		runner.withPropertyValues("lock.cache.manager=" + manager).run((context) -> {
			assertThat(context.getBean(CacheManager.class)).isSameAs(context.getBean(expected));
			assertThat(context.containsBean(OURS)).isEqualTo(!manager.equals("none"));
			assertThat(context.containsBean(BOOTS)).isEqualTo(!own && !manager.equals("default"));
		});
	}

	@Test
	void openValueTypeStopsTheStartAndNamesItsCache() {
		this.runner.withPropertyValues("lock.cache.manager=named", "lock.cache.caches.offer.type=java.lang.Object")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(LockSetupException.class,
						(failure) -> assertThat(failure.action()).contains("lock.cache.caches.<name>.type"))
				.hasMessageContaining("'offer'"));
	}

	@Test
	void thereIsNoManagerIfTheCacheIsDisabled() {
		this.runner.withPropertyValues("lock.cache.manager=default", "lock.cache.enabled=false")
			.run((context) -> assertThat(context).hasBean(BOOTS).doesNotHaveBean(RedisLockCacheManager.class));
	}

	@Test
	void theManagerNeedsNoCacheOfSpringBoot() {
		this.runner.withPropertyValues("lock.cache.manager=named", "spring.cache.type=none")
			.run((context) -> assertThat(context).hasBean(OURS));
	}

	@Test
	void cachesAreThoseWithATypeInPropertiesOrBeans() {
		this.runner.withPropertyValues("lock.cache.manager=named", "lock.cache.caches.other.ttl=1m")
			.run((context) -> assertThat(context.getBean(RedisLockCacheManager.class).getCacheNames())
				.containsExactlyInAnyOrder("price", "product"));
	}

	@Test
	void methodsWithTheManagersNameAreCachedAndEvicted() {
		this.runner.withPropertyValues("lock.cache.manager=named").withBean(Shop.class).run((context) -> {
			Shop shop = context.getBean(Shop.class);
			assertThat(List.of(shop.find("a, b", "c"), shop.find("a, b", "c"))).containsExactly(products(1),
					products(1));
			assertThat(context.getBean(CacheOperations.class).getIfPresent(Caching.PRODUCTS, CacheKey.of("a, b", "c")))
				.isNotNull();
			shop.change("a, b", "c");
			assertThat(shop.find("a, b", "c")).isEqualTo(products(2));
		});
	}

	static Stream<Type> users() {
		return Stream.of(Product.class, ResolvableType.forClassWithGenerics(Optional.class, Product.class).getType());
	}

	@ParameterizedTest
	@MethodSource("users")
	void anOptionalIsOneEntryForTheAnnotationsOfSpringAndOurs(Type type) {
		this.runner.withPropertyValues("lock.cache.manager=named")
			.withConfiguration(AutoConfigurations.of(CacheAnnotationsAutoConfiguration.class))
			.withBean("users", CacheSpec.class, () -> CacheSpec.ofType("user", type))
			.withBean(Users.class)
			.run((context) -> {
				Users users = context.getBean(Users.class);
				CacheManager manager = context.getBean(RedisLockCacheManager.class);
				Users.CALLS.set(0);
				long id = NUMBERS.addAndGet(10);
				for (long entry = id; entry < id + 3; entry++) {
					int by = (int) (entry - id);
					Optional<Product> expected = (by == 0) ? users.plain(entry)
							: (by == 1) ? users.synced(entry) : users.ours(entry);
					assertThat(List.of(users.plain(entry), users.synced(entry), users.ours(entry), users.ours(entry)))
						.allMatch(expected::equals);
					Cache cache = Objects.requireNonNull(manager.getCache("user"));
					assertThat(cache.get(entry, Product.class)).isEqualTo(expected.orElse(null));
					assertThat((Object) cache.get(entry, Optional.class)).isEqualTo(expected);
				}
				assertThat(Users.CALLS).hasValue(3);
				assertThat(users.put(id, Optional.of(new Product(7)))).isEqualTo(users.ours(id)).isPresent();
				assertThat(users.put(id, Optional.empty())).isEqualTo(users.plain(id)).isEmpty();
				assertThat(Users.CALLS).hasValue(3);
			});
	}

	@Test
	void anOptionalInAFutureIsOneEntryForTheAnnotationsOfSpringAndOurs() {
		this.runner.withPropertyValues("lock.cache.manager=named")
			.withConfiguration(AutoConfigurations.of(CacheAnnotationsAutoConfiguration.class))
			.withBean("users", CacheSpec.class, () -> CacheSpec.ofType("user", users().toList().get(1)))
			.withBean(Users.class)
			.run((context) -> {
				Users users = context.getBean(Users.class);
				Users.CALLS.set(0);
				long id = NUMBERS.addAndGet(10);
				Optional<Product> expected = users.later(id).join();
				assertThat(List.of(users.later(id).join(), users.ours(id), users.plain(id))).allMatch(expected::equals);
				assertThat(Users.CALLS).hasValue(1);
			});
	}

	@ParameterizedTest
	@ValueSource(classes = { Shop.class, Named.class })
	void aCacheWithoutATypeStopsTheStart(Class<?> type) {
		this.runner.withPropertyValues("lock.cache.manager=" + ((type == Named.class) ? "named" : "default"))
			.withBean(type)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOfSatisfying(LockSetupException.class,
						(failure) -> assertThat(failure.action()).contains("lock.cache.caches.<name>.type"))
				.hasMessageContaining("'unknown' of " + type.getName() + ".untyped(long)"));
	}

	@Test
	void cachesOfOtherManagersAreNotChecked() {
		this.runner.withPropertyValues("lock.cache.manager=named")
			.withBean(Shop.class)
			.run((context) -> assertThat(context.getBean(Shop.class).untyped(1)).isEqualTo(1));
	}

	@Test
	void aCompositeManagerContinuesWithTheNext() {
		this.runner.withPropertyValues("lock.cache.manager=named")
			.run((context) -> assertThat(new CompositeCacheManager(context.getBean(OURS, CacheManager.class),
					new ConcurrentMapCacheManager())
				.getCache("unknown")).isInstanceOf(ConcurrentMapCache.class));
	}

	private static List<Product> products(int call) {
		return List.of(new Product(call));
	}

	record Product(int call) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableCaching
	static class Caching {

		static final CacheSpec<List<Product>> PRODUCTS = CacheSpec.of("product",
				new ParameterizedTypeReference<List<Product>>() {
				});

		@Bean
		CacheSpec<List<Product>> products() {
			return PRODUCTS;
		}

	}

	static class Users {

		static final AtomicInteger CALLS = new AtomicInteger();

		@Cacheable(cacheNames = "user", cacheManager = OURS)
		public Optional<Product> plain(long id) {
			return found(id);
		}

		@Cacheable(cacheNames = "user", cacheManager = OURS, sync = true)
		public Optional<Product> synced(long id) {
			return found(id);
		}

		@Cacheable(cacheNames = "user", cacheManager = OURS)
		public CompletableFuture<Optional<Product>> later(long id) {
			return CompletableFuture.completedFuture(found(id));
		}

		@RedisCache(name = "user")
		public Optional<Product> ours(long id) {
			return found(id);
		}

		@CachePut(cacheNames = "user", cacheManager = OURS, key = "#id")
		public Optional<Product> put(long id, Optional<Product> user) {
			return user;
		}

		private Optional<Product> found(long id) {
			int call = CALLS.incrementAndGet();
			return (id % 2 == 0) ? Optional.of(new Product(call)) : Optional.empty();
		}

	}

	static class Named {

		@Cacheable(cacheNames = "unknown", cacheManager = OURS)
		public long untyped(long id) {
			return id;
		}

	}

	static class Shop {

		private int calls;

		@Cacheable(cacheNames = "product", cacheManager = OURS, sync = true)
		public List<Product> find(String shop, String product) {
			return products(++this.calls);
		}

		@CacheEvict(cacheNames = "product", cacheManager = OURS)
		public void change(String shop, String product) {
		}

		@Cacheable("unknown")
		public long untyped(long id) {
			return id;
		}

	}

}
