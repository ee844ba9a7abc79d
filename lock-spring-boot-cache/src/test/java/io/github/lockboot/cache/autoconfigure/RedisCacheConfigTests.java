package io.github.lockboot.cache.autoconfigure;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.interceptor.KeyGenerator;

import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CachedValue;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheConfig;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Settings of a class for all its methods.
 */
@RedisTest
@Timeout(180)
class RedisCacheConfigTests {

	private static final CacheSpec<String> PRODUCT = CacheSpec.of("product", String.class);

	private static final CacheSpec<String> OTHER = CacheSpec.of("other", String.class);

	private final ApplicationContextRunner runner;

	RedisCacheConfigTests(RedisServer redis) {
		this.runner = CachedApplication.on(redis)
			.withPropertyValues("product.cache=product")
			.withBean("firstOnly", KeyGenerator.class, () -> (target, method, params) -> String.valueOf(params[0]))
			.withBean("constant", KeyGenerator.class, () -> (target, method, params) -> "constant");
	}

	@Test
	void readsPutsAndEvictsOfTheClassShareItsName() {
		run(Shop.class, (shop, cache) -> {
			assertThat(List.of(shop.find("1", "de"), shop.find("1", "de"))).containsExactly("1/1", "1/1");
			shop.replace("1", "put");
			assertThat(shop.find("1", "fr")).isEqualTo("put");
			shop.change("1", 0);
			assertThat(shop.find("1", "fr")).isEqualTo("1/2");
		});
	}

	@Test
	void whatTheMethodNamesTakesPrecedence() {
		run(Shop.class, (shop, cache) -> {
			shop.replaceOther("1");
			assertThat(cache.getIfPresent(OTHER, "1")).isEqualTo(new CachedValue<>("other"));
			assertThat(cache.getIfPresent(PRODUCT, "1")).isNull();
			shop.replaceByKey("1", "2");
			assertThat(cache.getIfPresent(PRODUCT, "2")).isEqualTo(new CachedValue<>("by key"));
			shop.replaceByGenerator("1");
			assertThat(cache.getIfPresent(PRODUCT, "constant")).isEqualTo(new CachedValue<>("by generator"));
		});
	}

	@Test
	void allOrSeveralEntriesAreEvictedEvenWithAGenerator() {
		run(Shop.class, (shop, cache) -> Stream.<Runnable>of(shop::changeAll, () -> shop.changeSome(List.of("1", "2")))
			.forEach((change) -> {
				shop.find("1", "de");
				assertThat(cache.getIfPresent(PRODUCT, "1")).isNotNull();
				change.run();
				assertThat(cache.getIfPresent(PRODUCT, "1")).isNull();
			}));
	}

	@ParameterizedTest
	@ValueSource(classes = { OfInterface.class, Composed.class })
	void itMayAnnotateAnInterfaceOrBeAMetaAnnotationWithAPlaceholder(Class<? extends Replacing> type) {
		run(type, (shop, cache) -> {
			shop.replace("1");
			assertThat(cache.getIfPresent(PRODUCT, "1")).isEqualTo(new CachedValue<>("put"));
		});
	}

	@Test
	void thatOfTheClassOverridesThatOfItsSuperclassEvenForInheritedMethods() {
		run(Overriding.class, (shop, cache) -> {
			shop.replace("1", "put");
			assertThat(cache.getIfPresent(OTHER, "1")).isEqualTo(new CachedValue<>("put"));
			assertThat(cache.getIfPresent(PRODUCT, "1")).isNull();
		});
	}

	@Test
	void itMayAnnotateTheInterfaceOfARepositoryWithoutAClass() {
		run(Repository.class, RepositoryFactory.class, (repository, cache) -> {
			assertThat(repository.find("1", "de")).isEqualTo("found");
			assertThat(cache.getIfPresent(PRODUCT, "1")).isEqualTo(new CachedValue<>("found"));
			repository.change("1");
			assertThat(cache.getIfPresent(PRODUCT, "1")).isNull();
		});
	}

	@Test
	void readersThatShareEntriesUnintentionallyStopTheStart() {
		this.runner.withBean(Ambiguous.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidCacheAnnotationException.class)
				.hasMessageContaining("Ambiguous.byCode(String) takes its name 'product' from @RedisCacheConfig")
				.hasMessageContaining("and so does " + Ambiguous.class.getName() + ".byId(String)")
				.hasMessageContaining("give each @RedisCache a name"));
	}

	private <T> void run(Class<T> type, BiConsumer<T, CacheOperations> story) {
		run(type, type, story);
	}

	private <T> void run(Class<T> type, Class<?> defined, BiConsumer<T, CacheOperations> story) {
		CachedApplication.run(this.runner.withUserConfiguration(defined), type, story);
	}

	@RedisCacheConfig(name = "product", keyGenerator = "firstOnly")
	static class Shop {

		private final AtomicInteger calls = new AtomicInteger();

		@RedisCache
		public String find(String id, String language) {
			return id + "/" + this.calls.incrementAndGet();
		}

		@RedisCachePut
		public String replace(String id, String name) {
			return name;
		}

		@RedisCacheEvict
		public void change(String id, int price) {
		}

		@RedisCacheEvict(allEntries = true)
		public void changeAll() {
		}

		@RedisCacheEvict(keys = "#ids")
		public void changeSome(List<String> ids) {
		}

		@RedisCachePut("other")
		public String replaceOther(String id) {
			return "other";
		}

		@RedisCachePut(key = "#other")
		public String replaceByKey(String id, String other) {
			return "by key";
		}

		@RedisCachePut(keyGenerator = "constant")
		public String replaceByGenerator(String id) {
			return "by generator";
		}

	}

	@RedisCacheConfig("other")
	static class Overriding extends Shop {

		@Override
		@RedisCachePut(key = "#id")
		public String replace(String id, String name) {
			return name;
		}

	}

	@RedisCacheConfig("product")
	interface Named {

	}

	static class Replacing {

		@RedisCachePut
		public String replace(String id) {
			return "put";
		}

	}

	static class OfInterface extends Replacing implements Named {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@RedisCacheConfig("${product.cache}")
	@interface OfProducts {

	}

	@OfProducts
	static class Composed extends Replacing {

	}

	@RedisCacheConfig("product")
	static class Ambiguous {

		@RedisCache
		public String byId(String id) {
			return "";
		}

		@RedisCache
		public String byCode(String code) {
			return "";
		}

	}

	/**
	 * Like repositories of Spring Data: the target class of the proxy does not implement
	 * the interface.
	 */
	@RedisCacheConfig(name = "product", keyGenerator = "firstOnly")
	interface Repository {

		@RedisCache
		String find(String id, String language);

		@RedisCacheEvict
		void change(String id);

	}

	static class RepositoryFactory implements FactoryBean<Repository> {

		@Override
		public Repository getObject() {
			ProxyFactory proxy = new ProxyFactory();
			proxy.setTarget("behind");
			proxy.setInterfaces(Repository.class);
			proxy.addAdvice((MethodInterceptor) (call) -> switch (call.getMethod().getName()) {
				case "find" -> "found";
				case "change" -> null;
				default -> call.proceed();
			});
			return (Repository) proxy.getProxy();
		}

		@Override
		public Class<?> getObjectType() {
			return Repository.class;
		}

	}

}
