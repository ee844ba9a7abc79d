package io.github.lockboot.autoconfigure;

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
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.javapoet.ClassName;

import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runtime hints for a native image of the library and of an application that uses it.
 */
class RuntimeHintsTests {

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
	void scriptsAreInTheImage() {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/lockboot/redis/acquire.lua"))
			.accepts(this.hints);
	}

	@Test
	void attributesOfTheAnnotationCanBeRead() {
		assertThat(REFLECTION.onType(DistributedLock.class).withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS))
			.accepts(this.hints);
	}

	@Test
	void rootOfAKeyCanBeRead() throws Exception {
		Class<?> root = Class.forName("io.github.lockboot.expression.MethodScope$Root");
		assertThat(REFLECTION.onType(root).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
			.accepts(this.hints);
	}

	@Test
	void methodsPropertiesAndBeansThatKeysNameCanBeCalled() throws Exception {
		RuntimeHints hints = hintsOfTheApplication();
		assertThat(
				REFLECTION.onMethodInvocation(AotApplication.Orders.class.getMethod("pay", AotApplication.Order.class)))
			.accepts(hints);
		assertThat(REFLECTION.onMethodInvocation(AotApplication.Order.class.getMethod("getId"))).accepts(hints);
		assertThat(REFLECTION.onMethodInvocation(AotApplication.Keys.class.getMethod("of", AotApplication.Order.class)))
			.accepts(hints);
	}

	private static RuntimeHints hintsOfTheApplication() {
		DefaultGenerationContext generation = new DefaultGenerationContext(
				new ClassNameGenerator(ClassName.get(AotApplication.class)), new InMemoryGeneratedFiles());
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(AotApplication.class);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		return generation.getRuntimeHints();
	}

}
