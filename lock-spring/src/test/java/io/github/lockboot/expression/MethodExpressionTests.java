package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class MethodExpressionTests {

	private final MethodExpressionParser parser = new MethodExpressionParser(new DefaultListableBeanFactory(),
			(text) -> text);

	private final Method method = ClassUtils.getMethod(Shop.class, "find", String.class, int.class);

	@Test
	void aValueIsReturnedUnchanged() {
		assertThat(evaluate("{#name, #count}")).isEqualTo(List.of("pen", 3));
	}

	@Test
	void aNullIsReturned() {
		assertThat(evaluate("null")).isNull();
	}

	@Test
	void theResultIsAVariableIfThereIsOne() {
		MethodExpression expression = this.parser.parse("#result + #p0 + #root.args.length", this.method, Shop.class,
				true);
		assertThat(expression.value(new Shop(), new Object[] { "pen", 3 }, "found ")).isEqualTo("found pen2");
	}

	@Test
	void aResultMayBeNull() {
		MethodExpression expression = this.parser.parse("#result == null", this.method, Shop.class, true);
		assertThat(expression.value(new Shop(), new Object[] { "pen", 3 }, null)).isEqualTo(true);
	}

	@Test
	void theResultIsUnknownBeforeTheCall() {
		assertThatExceptionOfType(MethodExpressionException.class)
			.isThrownBy(() -> this.parser.parse("#result", this.method, Shop.class, false))
			.withMessageContaining("unknown variable '#result'");
	}

	private @Nullable Object evaluate(String text) {
		return this.parser.parse(text, this.method, Shop.class, false)
			.value(new Shop(), new Object[] { "pen", 3 }, null);
	}

	static class Shop {

		public String find(String name, int count) {
			return name + count;
		}

	}

}
