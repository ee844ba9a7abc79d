package io.github.lockboot.autoconfigure;

import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.ReflectionHintsPredicates;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

import io.github.lockboot.annotation.DistributedLock;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runtime hints for a native image of the library and of an application that uses it.
 */
class RuntimeHintsTests {

	private static final ReflectionHintsPredicates REFLECTION = RuntimeHintsPredicates.reflection();

	private final RuntimeHints hints = RegisteredHints.ofLibrary();

	@Test
	void scriptsAreInTheImage() {
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/lockboot/redis/acquire.lua"))
			.accepts(this.hints);
		assertThat(RuntimeHintsPredicates.resource().forResource("io/github/lockboot/fencing/fence.sql"))
			.accepts(this.hints);
	}

	@Test
	void attributesOfTheAnnotationCanBeRead() {
		assertThat(REFLECTION.onType(DistributedLock.class).withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS))
			.accepts(this.hints);
	}

	@Test
	void rootOfAKeyCanBeRead() throws Exception {
		Class<?> root = Class.forName("io.github.lockboot.expression.MethodExpression$Root");
		assertThat(REFLECTION.onType(root).withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS))
			.accepts(this.hints);
	}

	@Test
	void methodsPropertiesAndBeansThatKeysNameCanBeCalled() throws Exception {
		RuntimeHints hints = RegisteredHints.of(AotApplication.class);
		assertThat(
				REFLECTION.onMethodInvocation(AotApplication.Orders.class.getMethod("pay", AotApplication.Order.class)))
			.accepts(hints);
		assertThat(REFLECTION.onMethodInvocation(AotApplication.Order.class.getMethod("getId"))).accepts(hints);
		assertThat(REFLECTION.onMethodInvocation(AotApplication.Keys.class.getMethod("of", AotApplication.Order.class)))
			.accepts(hints);
	}

}
