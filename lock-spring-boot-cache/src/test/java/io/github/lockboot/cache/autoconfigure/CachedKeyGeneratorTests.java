package io.github.lockboot.cache.autoconfigure;

import java.awt.Color;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cache.interceptor.KeyGenerator;
import org.springframework.cache.interceptor.SimpleKeyGenerator;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.InvalidCacheAnnotationException;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.fixture.RedisServer;
import io.github.lockboot.fixture.RedisTest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Keys of a key generator of the application.
 */
@RedisTest
@Timeout(180)
class CachedKeyGeneratorTests {

	private final ApplicationContextRunner runner;

	CachedKeyGeneratorTests(RedisServer redis) {
		this.runner = CachedApplication.on(redis)
			.withBean("lastOnly", KeyGenerator.class, () -> (target, method, params) -> last(params))
			.withBean("simple", KeyGenerator.class, SimpleKeyGenerator::new)
			.withBean("recording", RecordingGenerator.class)
			.withBean("nothing", NoKeyGenerator.class)
			.withBean("failing", KeyGenerator.class, () -> (target, method, params) -> {
				throw new IllegalStateException("no luck");
			});
	}

	private static Object last(@Nullable Object[] params) {
		return String.valueOf(params[params.length - 1]);
	}

	@Test
	void springsKeyOfSeveralArgumentsIsTheKeyOfAllArguments() {
		run((shop, cache) -> {
			assertThat(List.of(shop.simple("a, b", "c"), shop.simple("a", "b, c"))).containsExactly("1", "2");
			assertThat(cache.get(CacheSpec.of("simple", String.class), CacheKey.of("a, b", "c"), () -> "loaded"))
				.isEqualTo("1");
		});
	}

	@Test
	void theGeneratorReceivesTheCallLikeThoseOfSpring() {
		this.runner.withBean(Shop.class).run((context) -> {
			context.getBean(Shop.class).several(1, "a", "b");
			RecordingGenerator recording = context.getBean(RecordingGenerator.class);
			assertThat(recording.target).isExactlyInstanceOf(Shop.class);
			assertThat(recording.method).isEqualTo(Shop.class.getMethod("several", int.class, String[].class));
			assertThat(recording.params).containsExactly(1, "a", "b");
		});
	}

	@Test
	void aGeneratorThatReturnsNullOrFailsIsAnError() {
		run((shop, cache) -> {
			assertThatExceptionOfType(CacheKeyException.class).isThrownBy(() -> shop.withoutKey(1))
				.withMessageContaining("Key generator 'nothing' of cache 'none' has returned null")
				.withMessageContaining("Shop.withoutKey(int)");
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
				.hasMessageContaining("name one of these: lastOnly, simple"));
	}

	private void run(BiConsumer<Shop, CacheOperations> story) {
		CachedApplication.run(this.runner.withBean(Shop.class), Shop.class, story);
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

	static class Shop {

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
