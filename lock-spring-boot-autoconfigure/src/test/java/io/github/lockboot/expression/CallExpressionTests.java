package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class CallExpressionTests {

	private final KeyExpressionParser parser = new KeyExpressionParser(new DefaultListableBeanFactory(),
			(text) -> text);

	private final Method method = ClassUtils.getMethod(Shop.class, "find", String.class, int.class);

	@Test
	void aValueIsGivenAsItIs() {
		assertThat(evaluate("{#name, #count}")).isEqualTo(List.of("pen", 3));
	}

	@Test
	void aTemplateGivesAText() {
		assertThat(evaluate("#{#name}/#{#count}")).isEqualTo("pen/3");
	}

	@Test
	void aNullIsGiven() {
		assertThat(evaluate("null")).isNull();
	}

	@Test
	void theResultIsAVariableWhereThereIsOne() {
		CallExpression expression = this.parser.parseCall("#result + #p0 + #root.args.length", this.method, Shop.class,
				true);
		assertThat(expression.evaluate(new Shop(), new Object[] { "pen", 3 }, "found ")).isEqualTo("found pen2");
	}

	@Test
	void aResultMayBeNull() {
		CallExpression expression = this.parser.parseCall("#result == null", this.method, Shop.class, true);
		assertThat(expression.evaluate(new Shop(), new Object[] { "pen", 3 }, null)).isEqualTo(true);
	}

	@Test
	void theResultIsUnknownBeforeTheCall() {
		assertThatExceptionOfType(KeyExpressionException.class)
			.isThrownBy(() -> this.parser.parseCall("#result", this.method, Shop.class, false))
			.withMessageContaining("unknown variable '#result'");
	}

	@Test
	void aFailureNamesItsReason() {
		assertThatExceptionOfType(KeyExpressionException.class).isThrownBy(() -> evaluate("#name.nothing"))
			.withMessageContaining("can't be evaluated");
	}

	private @Nullable Object evaluate(String text) {
		return this.parser.parseCall(text, this.method, Shop.class, false)
			.evaluate(new Shop(), new Object[] { "pen", 3 });
	}

	static class Shop {

		public String find(String name, int count) {
			return name + count;
		}

	}

}
