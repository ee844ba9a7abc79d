package io.github.lockboot.cache.autoconfigure;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mockito.Mockito;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.task.TaskDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import io.github.lockboot.CapturedLog;
import io.github.lockboot.LockOperations;
import io.github.lockboot.annotation.DistributedLock;
import io.github.lockboot.annotation.InvalidLockAnnotationException;
import io.github.lockboot.autoconfigure.DistributedLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LocalLockAutoConfiguration;
import io.github.lockboot.autoconfigure.LockSetupException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.FirstConnection;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.cache.redis.RedisCacheTemplate;
import io.github.lockboot.fixture.CommandCounts;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;
import io.github.lockboot.jdbc.JdbcLockTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * The annotations of the cache in an application.
 */
@RedisTest
class RedisCacheAutoConfigurationTests {

	private final RedisServer redis;

	private final ApplicationContextRunner runner;

	RedisCacheAutoConfigurationTests(RedisServer redis) {
		this.redis = redis;
		this.runner = CachedApplication.on(redis);
	}

	@Test
	void methodsWithoutANameShareNothing() {
		run((shop, cache) -> {
			assertThat(List.of(shop.anonymous(1), shop.anonymous("1"))).containsExactly("int 1", "String 1");
			assertThat(keys("*Shop.anonymous-")).hasSize(2);
		});
	}

	@Test
	void evictsAndPutsOfTheNameApply() {
		run((shop, cache) -> {
			shop.find(1);
			shop.change(1);
			assertThat(shop.find(1)).isEqualTo("1/2");
			shop.replace(1, "put");
			assertThat(shop.find(1)).isEqualTo("put");
			shop.changeSome(List.of(1, 2));
			assertThat(shop.find(1)).isEqualTo("1/3");
			shop.changeAll();
			assertThat(shop.find(1)).isEqualTo("1/4");
		});
	}

	@Test
	void aMethodMayPutIntoSeveralCaches() {
		run((shop, cache) -> {
			shop.replaceTwice(1, "put");
			assertThat(cache.get(CacheSpec.of("product", String.class), 1, () -> "loaded")).isEqualTo("put");
			assertThat(cache.get(CacheSpec.of("named", String.class), "put", () -> "loaded")).isEqualTo("put");
		});
	}

	@Test
	void anEvictOfAMethodThatFailsDoesNotHappen() {
		run((shop, cache) -> {
			shop.find(1);
			assertThatIllegalStateException().isThrownBy(() -> shop.failToChange(1));
			assertThat(shop.find(1)).isEqualTo("1/1");
		});
	}

	@Test
	void conditionAndUnlessAreEvaluated() {
		run((shop, cache) -> {
			assertThat(List.of(shop.conditional(-1), shop.conditional(-1))).containsExactly("1", "2");
			assertThat(List.of(shop.conditional(0), shop.conditional(0))).containsExactly("3", "4");
			assertThat(List.of(shop.conditional(7), shop.conditional(7))).containsExactly("5", "5");
		});
	}

	@Test
	void aResultMayDetermineItsTimeToLive() {
		run((shop, cache) -> {
			shop.withOwnTtl(7_000L);
			assertThat(remainingMillis(keys("own").get(0))).isBetween(1L, 7_000L);
			assertThat(shop.withOwnTtl(null)).isEmpty();
			assertThat(keys("own")).hasSize(2);
		});
	}

	@Test
	void propertiesOfTheNameOverrideTheGeneralOnes() {
		this.runner.withBean(Shop.class)
			.withPropertyValues("lock.cache.ttl=50s", "lock.cache.caches.product.ttl=20s", "lock.cache.jitter=0")
			.run((context) -> {
				context.getBean(Shop.class).find(1);
				assertThat(remainingMillis(
						keys("product:").stream().filter((key) -> key.endsWith("}")).findFirst().orElseThrow()))
					.isBetween(1L, 20_000L);
			});
	}

	@Test
	void nothingIsCreatedIfNothingIsCached() {
		this.runner.run((context) -> {
			assertThat(context.getBeanFactory().containsSingleton("redisLockCacheTemplate")).isFalse();
			assertThat(context).hasSingleBean(CacheOperations.class);
		});
	}

	@Test
	void aConnectionIsOpenedAtTheStartIfMethodsOnlyEvict() {
		CommandCounts before = this.redis.commandStats();
		this.runner.withBean(Evicting.class)
			.run((context) -> Awaitility.await()
				.untilAsserted(() -> assertThat(this.redis.commandStats().since(before).of("subscribe")).isPositive()));
	}

	@Test
	void methodsOfADisabledCacheRunUncached() {
		this.runner.withBean(Shop.class).withPropertyValues("lock.cache.enabled=false").run((context) -> {
			assertThat(context).doesNotHaveBean(CacheOperations.class);
			Shop shop = context.getBean(Shop.class);
			assertThat(List.of(shop.find(1), shop.find(1))).containsExactly("1/1", "1/2");
		});
	}

	@Test
	void withoutAConnectionFactoryTheFailureNamesTheCache() {
		new ApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(CacheAnnotationsAutoConfiguration.class, RedisCacheAutoConfiguration.class))
			.withBean(Shop.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOfSatisfying(LockSetupException.class, (failure) -> {
					assertThat(failure).hasMessage("The cache needs a RedisConnectionFactory bean, but there is none.");
					assertThat(failure.action()).contains("lock.cache.enabled=false").doesNotContain("lock.backend");
				}));
	}

	@Test
	void aBeanThatWasCreatedBeforeTheProxyCreatorStopsTheStart() {
		this.runner.withBean(Shop.class)
			.withUserConfiguration(EarlyBeans.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidCacheAnnotationException.class)
				.hasMessageContaining("find(int) is not cached, since its bean")
				.hasMessageContaining("created before the proxy creator"));
	}

	@Test
	void theTaskDecoratorOfTheApplicationDecoratesRefreshes() {
		AtomicInteger wrapped = new AtomicInteger();
		this.runner.withBean(Shop.class).withBean(TaskDecorator.class, () -> (task) -> {
			wrapped.incrementAndGet();
			return task;
		}).run((context) -> {
			CacheOperations cache = context.getBean(CacheOperations.class);
			boolean stored = cache.refresh(CacheSpec.of("product", String.class), 1, () -> "new")
				.orTimeout(20, TimeUnit.SECONDS)
				.join();
			assertThat(stored).isTrue();
			assertThat(wrapped).hasValue(1);
			assertThat(context.getBean(Shop.class).find(1)).isEqualTo("new");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "url=redis://127.0.0.1:1", "cluster.nodes=127.0.0.1:1" })
	void theStartSucceedsWhileRedisIsDown(String address) {
		this.runner.withBean(Shop.class)
			.withPropertyValues("spring.data.redis." + address, "lock.cache.command-timeout=50ms")
			.run((context) -> assertThat(context.getBean(Shop.class).find(1)).isEqualTo("1/1"));
	}

	@Test
	void allProblemsAreInOneReport() {
		this.runner.withBean(Wrong.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidCacheAnnotationException.class)
				.hasMessageContaining("open(")
				.hasMessageContaining("java.lang.Object does not say what they are")
				.hasMessageContaining("unknown variable '#nmae'")
				.hasMessageContaining("unknown variable '#result'")
				.hasMessageContaining("unknown variable '#revision'")
				.hasMessageContaining("raw(): Values of type java.lang.Object can't be cached")
				.hasMessageContaining("elements(): Values of type java.util.List<java.lang.Object> can't be cached")
				.hasMessageContaining("empty() returns nothing that could be cached")
				.hasMessageContaining(".nothing() returns nothing that could be cached")
				.hasMessageContaining("'soon', which is not a duration")
				.hasMessageContaining(
						"results of type Future do not show when the work is done: return a CompletableFuture")
				.hasMessageContaining("is final")
				.hasMessageContaining("has no name in @RedisCacheEvict")
				.hasMessageContaining("more than one of key, keyGenerator, keys, tags and allEntries")
				.hasMessageContaining("has both grace and allEntries in @RedisCacheEvict")
				.hasMessageContaining("has both grace and tags in @RedisCacheEvict")
				.hasMessageContaining("unknown variable '#shopp'")
				.hasMessageContaining("'grace' must be from 0 ms to 365 days but is 500d"));
	}

	@Test
	void problemsOfLocksAreInTheSameReport() {
		this.runner
			.withConfiguration(
					AutoConfigurations.of(DistributedLockAutoConfiguration.class, LocalLockAutoConfiguration.class))
			.withPropertyValues("lock.backend=local")
			.withBean(WrongTwice.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidLockAnnotationException.class)
				.hasMessageContaining("WrongTwice.locked() is final")
				.hasMessageContaining("WrongTwice.cached() returns nothing that could be cached"));
	}

	@Test
	void probableMistakesLogWarnings() {
		try (CapturedLog log = new CapturedLog()) {
			this.runner.withBean(Mistaken.class)
				.withPropertyValues("lock.cache.caches.prodct.ttl=1m", "lock.cache.caches.user-admin.ttl=1m",
						"lock.cache.caches.article.ttl=1m")
				.run((context) -> assertThat(context).hasNotFailed());
			assertThat(String.join("\n", log.lines("WARN"))).contains(
					"not used. No cache has the name 'prodct'; the known names are: 'article', 'artikel', 'userAdmin'",
					"not used. No cache has the name 'user-admin'",
					"Mistaken.misspelt(int) evicts from the cache 'artikel', which this application does not fill;"
							+ " the known names are: 'article', 'userAdmin'",
					"Mistaken.withoutKey() evicts the entry of its own arguments, but the entries of cache 'article'"
							+ " have other keys, as in " + Mistaken.class.getName() + ".find(int)",
					"Mistaken.change(" + Product.class.getName() + ") evicts the entry of its own arguments",
					"Mistaken.twice calls find() on its own object, where the called method runs without the cache")
				.doesNotContain("name 'article'", "Mistaken.right(");
		}
	}

	@Test
	void aTemplateOfTheApplicationIsUsed() {
		CacheOperations mine = Mockito.mock(CacheOperations.class);
		this.runner.withBean("mine", CacheOperations.class, () -> mine)
			.run((context) -> assertThat(context).hasSingleBean(CacheOperations.class)
				.doesNotHaveBean(RedisCacheTemplate.class));
	}

	@Test
	void aCachedMethodLocksInTheDatabaseAndIsCachedInRedis() {
		String id = UUID.randomUUID().toString();
		new ApplicationContextRunner().withUserConfiguration(BesideDatabaseLocks.class)
			.withPropertyValues("lock.backend=jdbc", "spring.datasource.generate-unique-name=true",
					"spring.data.redis.port=" + this.redis.port())
			.run((context) -> {
				assertThat(context.getBean(LockOperations.class)).isInstanceOf(JdbcLockTemplate.class);
				FirstConnection.await(context.getBean(CacheOperations.class));
				Prices prices = context.getBean(Prices.class);
				assertThat(prices.of(id)).isTrue();
				assertThat(prices.of(id)).isTrue();
				assertThat(prices.calls()).isEqualTo(1);
				assertThat(String.valueOf(this.redis.command("KEYS", "*" + id + "*"))).contains("price")
					.doesNotContain("lock:pricing");
			});
	}

	private void run(BiConsumer<Shop, CacheOperations> story) {
		CachedApplication.run(this.runner.withBean(Shop.class), Shop.class, story);
	}

	private List<String> keys(String part) {
		return this.redis.list("KEYS", "cache:" + part + "*{*}");
	}

	private long remainingMillis(String key) {
		return Long.parseLong(String.valueOf(this.redis.command("PTTL", key)));
	}

	static class Evicting {

		@RedisCacheEvict("product")
		public void change(int id) {
		}

	}

	static class Shop {

		private final AtomicInteger calls = new AtomicInteger();

		@RedisCache(name = "product", key = "#id")
		public String find(int id) {
			return id + "/" + this.calls.incrementAndGet();
		}

		@RedisCache
		public String anonymous(int id) {
			return "int " + id;
		}

		@RedisCache
		public String anonymous(String id) {
			return "String " + id;
		}

		@RedisCacheEvict("product")
		public void change(int id) {
		}

		@RedisCacheEvict(name = "product", keys = "#ids")
		public void changeSome(List<Integer> ids) {
		}

		@RedisCacheEvict(name = "product", allEntries = true)
		public void changeAll() {
		}

		@RedisCacheEvict(name = "product", key = "#id")
		public void failToChange(int id) {
			throw new IllegalStateException("no");
		}

		@RedisCachePut(name = "product", key = "#id")
		public String replace(int id, String name) {
			return name;
		}

		@RedisCachePut(name = "product", key = "#id")
		@RedisCachePut(name = "named", key = "#result")
		public String replaceTwice(int id, String name) {
			return name;
		}

		@RedisCache(condition = "#id >= 0", unless = "#id == 0 && #result != null")
		public String conditional(int id) {
			return "" + this.calls.incrementAndGet();
		}

		@RedisCache(name = "own", ttl = "#result", tags = "#result", unless = "#result == 0L")
		public Optional<Long> withOwnTtl(@Nullable Long millis) {
			return Optional.ofNullable(millis);
		}

	}

	/** Its post-processor requests a bean before there is a proxy creator. */
	@Configuration(proxyBeanMethods = false)
	static class EarlyBeans {

		@Bean
		static EagerProcessor eagerProcessor(BeanFactory beanFactory) {
			beanFactory.getBean(Shop.class);
			return new EagerProcessor();
		}

	}

	static class EagerProcessor implements BeanPostProcessor, PriorityOrdered {

		@Override
		public int getOrder() {
			return 0;
		}

	}

	static class WrongTwice {

		@DistributedLock
		public final void locked() {
		}

		@RedisCache
		public void cached() {
		}

	}

	static class Wrong {

		@RedisCache
		public List<Object> open() {
			return List.of();
		}

		@RedisCache(key = "#nmae")
		public @Nullable String misspelt(String name) {
			return null;
		}

		@RedisCache(ttl = "soon")
		public @Nullable String noDuration() {
			return null;
		}

		@RedisCache
		public void nothing() {
		}

		@RedisCache
		public Future<String> later() {
			return new CompletableFuture<>();
		}

		@RedisCache
		public Mono<Void> empty() {
			return Mono.empty();
		}

		@RedisCache
		public Flux<Object> elements() {
			return Flux.empty();
		}

		@RedisCache
		@SuppressWarnings("rawtypes")
		public CompletionStage raw() {
			return new CompletableFuture<>();
		}

		@RedisCacheEvict(name = "x", key = "#result", beforeInvocation = true)
		public int early() {
			return 1;
		}

		@RedisCachePut(name = "x", key = "#id", version = "#revision")
		public int versioned(int id) {
			return id;
		}

		@RedisCache
		public final @Nullable String unreachable() {
			return null;
		}

		@RedisCacheEvict
		public void nameless(int id) {
		}

		@RedisCacheEvict(name = "x", key = "#id", allEntries = true)
		public void both(int id) {
		}

		@RedisCacheEvict(name = "x", allEntries = true, grace = "3s")
		public void graceOfAll() {
		}

		@RedisCacheEvict(name = "x", tags = "'shop:' + #shopp")
		public void misspeltTag(int shop) {
		}

		@RedisCacheEvict(name = "x", tags = "#shop", grace = "3s")
		public void graceOfATag(int shop) {
		}

		@RedisCacheEvict(name = "x", grace = "500d")
		public void longGrace(int id) {
		}

	}

	static class Mistaken {

		@RedisCache(name = "article")
		public String find(int id) {
			return "article " + id;
		}

		@RedisCache(name = "userAdmin")
		public String admin(int id) {
			return "admin " + id;
		}

		@RedisCacheEvict(name = "artikel")
		public void misspelt(int id) {
		}

		@RedisCacheEvict(name = "article")
		public void withoutKey() {
		}

		@RedisCacheEvict(name = "article")
		public void change(Product product) {
		}

		@RedisCacheEvict(name = "article")
		public void right(long id) {
		}

		public String twice(int id) {
			return find(id) + find(id);
		}

	}

	record Product(String name) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(Prices.class)
	static class BesideDatabaseLocks {

	}

	static class Prices {

		private final AtomicInteger calls = new AtomicInteger();

		private final LockOperations locks;

		Prices(LockOperations locks) {
			this.locks = locks;
		}

		@RedisCache(name = "price", key = "#id")
		@DistributedLock(name = "pricing", key = "#id")
		public boolean of(String id) {
			this.calls.incrementAndGet();
			return this.locks.inspect("pricing:" + id).isHeld();
		}

		public int calls() {
			return this.calls.get();
		}

	}

}
