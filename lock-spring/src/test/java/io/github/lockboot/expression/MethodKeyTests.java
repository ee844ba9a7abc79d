package io.github.lockboot.expression;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Optional;

import com.sun.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.mock.env.MockPropertySource;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Keys of methods.
 */
class MethodKeyTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void rootHasTheMethodAndItsTarget() {
		assertThat(evaluate("#root.methodName + #root.method.name + #root.targetClass.simpleName + #root.target.place",
				"42"))
			.containsExactly("byIdbyIdOrdersshelf");
	}

	@Test
	void templateJoinsTextAndValues() {
		assertThat(evaluate("order:#{#id}:#{#id.length()}", "42")).containsExactly("order:42:2");
	}

	@Test
	void beanCanComputeTheKey() {
		this.beans.registerSingleton("orders", new Orders());
		assertThat(evaluate("@orders.place + #id", "42")).containsExactly("shelf42");
	}

	@Test
	void placeholderIsResolvedInTheConstant() {
		this.environment.getPropertySources().addFirst(new MockPropertySource().withProperty("shop", "berlin"));
		assertThat(evaluate("${shop}-#{#id}", "42")).containsExactly("berlin-42");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#{1+1}", "${user.home}", "#id", "T(java.lang.System).exit(1)" })
	void valueIsNeverEvaluatedAgain(String value) {
		assertThat(evaluate("k:#{#id}", value)).containsExactly("k:" + value);
	}

	@Test
	void collectionReturnsOneKeyForEachElement() {
		assertThat(evaluate("#id", List.of("b", "a"))).containsExactly("b", "a");
	}

	@Test
	void arrayOfPrimitivesReturnsOneKeyForEachElement() {
		assertThat(evaluate("#id", new long[] { 3, 1 })).containsExactly("3", "1");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#id", "order:#{#id}", "'order:' + #id", "#id + ':order'", "{#id, 'a'}", "''.concat(#id)",
			"@orders.keyOf(#id)" })
	void everyPartOfAKeyIsCheckedAndWrittenAsAKey(String expression) {
		this.beans.registerSingleton("orders", new Orders());
		assertThat(String.join(",", evaluate(expression, new Date(0)))).contains("1970-01-01T00:00:00Z");
		assertThatExceptionOfType(MethodExpressionException.class)
			.isThrownBy(() -> evaluate(expression, Thread.currentThread()));
	}

	@Test
	void nullIsAnErrorAndNoKeyNorAnEmptyText() {
		assertFailure("#id", null, "is null");
		assertFailure("#id", Optional.empty(), "is null");
		assertFailure("#id", Arrays.asList("a", null), "has an element that is null");
		assertFailure("order:#{#id}", null, "has the part '#id', which is null");
		assertFailure("order:#{#id}", "", "has the part '#id', which is blank");
		assertFailure("order:#{#id}", List.of("a"), "has the part '#id', which is a collection");
		assertFailure("#id", List.of(List.of("a")), "has an element that is a collection");
	}

	@Test
	void valueWhoseTextFailsIsAnErrorWithItsCause() {
		assertFailure("#id", new Object() {

			@Override
			public String toString() {
				throw new IllegalStateException("not loaded");
			}

		}, "has no text: java.lang.IllegalStateException: not loaded");
		assertFailure("order:#{#id}", Optional.of(Optional.of("a")), "has the part '#id', which has no text");
	}

	@Test
	void failingEvaluationIsAnErrorWithItsCause() {
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> evaluate("#id.missing", "42"))
			.withMessageContaining("can't be evaluated")
			.withMessageContaining("missing")
			.havingCause();
	}

	@ParameterizedTest
	@ValueSource(strings = { "#typo", "'order:' + #typo", "order:#{#typo}", "#id.length() + (#typo ?: 1)",
			"{#id, #typo}", "#id == null ? #typo : #id", "@bean.call(#id, #typo)", "#root.args.![#typo]", "#typo(1)",
			"#typo = 1", "{a: #typo}", "#root.args[#typo]", "new String(#typo)" })
	void unknownVariableIsReportedBeforeAnyCall(String expression) {
		this.beans.registerSingleton("bean", new Orders());
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> parse(expression))
			.withMessage("names the unknown variable '#typo'; the known variables are #p0, #a0, #id");
	}

	@Test
	void elementOfAProjectionIsAKnownVariable() {
		assertThat(evaluate("#id.![#this + '!' + #root.methodName]", List.of("a", "b"))).containsExactly("a!byId",
				"b!byId");
	}

	@Test
	void blankExpressionIsReportedBeforeAnyCall() {
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> parse("${nowhere:}"))
			.withMessage("is blank");
	}

	@Test
	void compiledExpressionReturnsTheSameKeysAsAnInterpretedOne() {
		MethodExpression key = parse("#id.length() + #id");
		for (int i = 0; i < 1000; i++) {
			String id = "x".repeat(i % 7 + 1);
			assertThat(key.keys(new Orders(), new Object[] { id })).containsExactly(id.length() + id);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "#id", "#p0.length()" })
	void warmEvaluationAllocatesAlmostNothing(String expression) {
		MethodExpression key = parse(expression);
		Object[] arguments = { "42" };
		for (int i = 0; i < 20_000; i++) {
			key.keys(this, arguments);
		}
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < 1000; i++) {
			key.keys(this, arguments);
		}
		long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / 1000;
		assertThat(bytes).isLessThan(512);
	}

	private void assertFailure(String expression, @Nullable Object id, String reason) {
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> evaluate(expression, id))
			.withMessageContaining(reason)
			.satisfies((ex) -> assertThat(ex.expression()).isEqualTo(expression));
	}

	private List<String> evaluate(String expression, @Nullable Object id) {
		return parse(expression).keys(new Orders(), new @Nullable Object[] { id });
	}

	private MethodExpression parse(String expression) {
		Method method = ClassUtils.getMethod(Orders.class, "byId", Object.class);
		return parser().parse(expression, method, Orders.class, false);
	}

	private MethodExpressionParser parser() {
		return new MethodExpressionParser(this.beans, this.environment::resolveRequiredPlaceholders);
	}

	public static class Orders {

		public String getPlace() {
			return "shelf";
		}

		public String keyOf(String id) {
			return id;
		}

		public void byId(Object id) {
		}

	}

}
