package io.github.lockboot.cache.autoconfigure;

import java.awt.Color;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.cache.interceptor.SimpleKeyGenerator;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
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
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Settings of a class for all its methods, and key generators of the application.
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
			.withBean("simple", KeyGenerator.class, SimpleKeyGenerator::new)
			.withBean("recording", RecordingGenerator.class)
			.withBean("nothing", NoKeyGenerator.class)
			.withBean("failing", KeyGenerator.class, () -> (target, method, params) -> {
				throw new IllegalStateException("no luck");
			})
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

	@Test
	void springsKeyOfSeveralArgumentsIsTheKeyOfAllArguments() {
		run(GeneratedShop.class, (shop, cache) -> {
			assertThat(List.of(shop.simple("a, b", "c"), shop.simple("a", "b, c"))).containsExactly("1", "2");
			assertThat(cache.get(CacheSpec.of("simple", String.class), CacheKey.of("a, b", "c"), () -> "loaded"))
				.isEqualTo("1");
		});
	}

	@Test
	void theGeneratorReceivesTheCallLikeThoseOfSpring() {
		this.runner.withBean(GeneratedShop.class).run((context) -> {
			context.getBean(GeneratedShop.class).several(1, "a", "b");
			RecordingGenerator recording = context.getBean(RecordingGenerator.class);
			assertThat(recording.target).isExactlyInstanceOf(GeneratedShop.class);
			assertThat(recording.method).isEqualTo(GeneratedShop.class.getMethod("several", int.class, String[].class));
			assertThat(recording.params).containsExactly(1, "a", "b");
		});
	}

	@Test
	void aGeneratorThatReturnsNullOrFailsIsAnError() {
		run(GeneratedShop.class, (shop, cache) -> {
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.withoutKey(1))
				.withMessageContaining("Key generator 'nothing' of cache 'none' has returned null")
				.withMessageContaining("GeneratedShop.withoutKey(int)");
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.failing(1))
				.withMessageContaining("Key generator 'failing' of cache 'none' has failed: no luck")
				.withCauseInstanceOf(IllegalStateException.class);
			assertThat(shop.calls()).isZero();
		});
	}

	@Test
	void invalidSettingsStopTheStart() {
		this.runner.withBean(Wrong.class)
			.run((context) -> assertThat(context).getFailure()
				.isInstanceOf(InvalidCacheAnnotationException.class)
				.hasMessageContaining("Wrong.byColour(java.awt.Color) has a parameter of type java.awt.Color,")
				.hasMessageContaining("Wrong.readByBoth(int) has both key and keyGenerator in @RedisCache: name one")
				.hasMessageContaining("Wrong.putByBoth(int) has both key and keyGenerator in @RedisCachePut: name one")
				.hasMessageContaining("Wrong.evictByBoth(int) has more than one of key, keyGenerator, keys")
				.hasMessageContaining("Wrong.evictAll(int) has more than one of key, keyGenerator, keys")
				.hasMessageContaining(
						"Wrong.misspelt(int) names the keyGenerator 'smiple', which is no KeyGenerator bean")
				.hasMessageNotContaining("Wrong.withoutKey")
				.hasMessageContaining("name one of these: firstOnly, simple"));
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

	static class RecordingGenerator implements KeyGenerator {

		private @Nullable Object target;

		private @Nullable Method method;

		private List<@Nullable Object> params = List.of();

		@Override
		public Object generate(Object target, Method method, @Nullable Object... params) {
			this.target = target;
			this.method = method;
			this.params = Arrays.asList(params);
			return 1;
		}

	}

	static class NoKeyGenerator implements KeyGenerator {

		@Override
		@SuppressWarnings("NullAway") // what it must not do
		public Object generate(Object target, Method method, @Nullable Object... params) {
			return null;
		}

	}

	static class GeneratedShop {

		private final AtomicInteger calls = new AtomicInteger();

		int calls() {
			return this.calls.get();
		}

		@RedisCache(name = "simple", keyGenerator = "simple")
		public String simple(String first, String second) {
			return "" + this.calls.incrementAndGet();
		}

		@RedisCache(name = "several", keyGenerator = "recording")
		public String several(int first, String... others) {
			return "";
		}

		@RedisCache(name = "none", keyGenerator = "nothing")
		public String withoutKey(int id) {
			return "" + this.calls.incrementAndGet();
		}

		@RedisCache(name = "none", keyGenerator = "failing")
		public String failing(int id) {
			return "" + this.calls.incrementAndGet();
		}

	}

	static class Wrong {

		@RedisCache(name = "wrong")
		public String byColour(Color colour) {
			return colour.toString();
		}

		@RedisCacheEvict(name = "wrong", allEntries = true)
		public void withoutKey(Color colour) {
		}

		@RedisCache(key = "#id", keyGenerator = "simple")
		public String readByBoth(int id) {
			return "";
		}

		@RedisCachePut(name = "x", key = "#id", keyGenerator = "simple")
		public String putByBoth(int id) {
			return "";
		}

		@RedisCacheEvict(name = "x", key = "#id", keyGenerator = "simple")
		public void evictByBoth(int id) {
		}

		@RedisCacheEvict(name = "x", keyGenerator = "simple", allEntries = true)
		public void evictAll(int id) {
		}

		@RedisCache(keyGenerator = "smiple")
		public String misspelt(int id) {
			return "";
		}

	}

}
