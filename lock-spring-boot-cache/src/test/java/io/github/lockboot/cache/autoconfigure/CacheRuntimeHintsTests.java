package io.github.lockboot.cache.autoconfigure;

import java.util.List;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

import io.github.lockboot.cache.RedisCache;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Hints for a native image of the cache and of an application with cached methods.
 */
class CacheRuntimeHintsTests {

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	private final RuntimeHints hints = new RuntimeHints();

	@BeforeEach
	void collect() {
		SpringFactoriesLoader.forResourceLocation("META-INF/spring/aot.factories")
			.load(RuntimeHintsRegistrar.class)
			.stream()
			.filter((registrar) -> registrar.getClass().getName().startsWith("io.github.lockboot"))
			.forEach((registrar) -> registrar.registerHints(this.hints, getClass().getClassLoader()));
	}

	@Test
	void scriptsOfTheCacheAreInTheImage() {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/lockboot/cache/protocol/acquire.lua"))
			.accepts(this.hints);
	}

	@Test
	void valuesOfCachedMethodsCanBeWrittenAndRead() throws Exception {
		RuntimeHints hints = hintsOfTheApplication();
		assertThat(REFLECTION.onMethodInvocation(Catalogue.class.getMethod("find", int.class))).accepts(hints);
		assertThat(REFLECTION.onType(Product.class).withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
			.accepts(hints);
	}

	@Test
	void beanThatTheKeyOfACacheNamesCanBeCalled() throws Exception {
		assertThat(REFLECTION.onMethodInvocation(Numbers.class.getMethod("of", int.class)))
			.accepts(hintsOfTheApplication());
	}

	private static RuntimeHints hintsOfTheApplication() {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(Shop.class)), new InMemoryGeneratedFiles());
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Shop.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		return generation.getRuntimeHints();
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
