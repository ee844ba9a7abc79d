package io.github.lockboot.cache.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.github.lockboot.autoconfigure.RegisteredHints;
import io.github.lockboot.cache.RedisCache;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hints for a native image of the cache and of an application with cached methods.
 */
class CacheRuntimeHintsTests {

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	private final RuntimeHints hints = RegisteredHints.ofLibrary();

	@Test
	void scriptsOfTheCacheAreInTheImage() {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/lockboot/cache/protocol/acquire.lua"))
			.accepts(this.hints);
	}

	@Test
	void beanThatTheKeyOfACacheNamesCanBeCalled() throws Exception {
		assertThat(REFLECTION.onMethodInvocation(Numbers.class.getMethod("of", int.class)))
			.accepts(RegisteredHints.of(Shop.class));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(CacheAnnotationsAutoConfiguration.class)
	static class Shop {

		@Bean
		Catalogue catalogue() {
			return new Catalogue();
		}

		@Bean
		Numbers numbers() {
			return new Numbers();
		}

	}

	static class Numbers {

		public int of(int id) {
			return id;
		}

	}

	static class Catalogue {

		@RedisCache(name = "product", key = "@numbers.of(#id)")
		public List<Product> find(int id) {
			return List.of(new Product(id, "pen"));
		}

	}

	record Product(int id, String name) {
	}

}
