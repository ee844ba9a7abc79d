package io.github.lockboot.expression;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import com.sun.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.mock.env.MockPropertySource;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Keys of methods, and other expressions.
 */
class MethodKeyTests {

	private static final Method FIND = ClassUtils.getMethod(Shop.class, "find", String.class, int.class);

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
			.withMessageContainingAll("can't be evaluated", "missing")
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

	@Test
	void aValueOrNullIsReturnedUnchanged() {
		assertThat(value("{#name, #count}", false, null)).isEqualTo(List.of("pen", 3));
		assertThat(value("null", false, null)).isNull();
	}

	@Test
	void theResultIsAVariableIfThereIsOneAndMayBeNull() {
		assertThat(value("#result + #p0 + #root.args.length", true, "found ")).isEqualTo("found pen2");
		assertThat(value("#result == null", true, null)).isEqualTo(true);
	}

	@Test
	void theResultIsUnknownBeforeTheCall() {
		assertThatExceptionOfType(MethodExpressionException.class)
			.isThrownBy(() -> parser().parse("#result", FIND, Shop.class, false))
			.withMessageContaining("unknown variable '#result'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "#order.id", "#order.customer.name", "#order.customer.getName()", "#order.id()", "#id",
			"#id.length()", "#id.bytes.length", "#ids.length", "#ids[0].length()", "#map.key", "#map[key]",
			"#map['key']", "#map[#id]", "#list[0].anything", "#list.![id]", "#list.?[id != null].size()",
			"#list.size()", "#list.![name.concat(other)]", "#object.anything.at.all", "#optional.get().id",
			"#optional?.id", "#order.event.anything", "#event.anything", "#event.id", "method.name", "methodName",
			"targetClass.name", "target.place", "args.length", "getArgs().length", "#root.target.place",
			"#root.args[3].anything", "T(java.util.UUID).randomUUID()", "@beans.anything", "{a: #id}.a",
			"'it' + '-' + #id", "#type.name", "4711", "#this.methodName", "#element.id", "#number + 1",
			"#customer.name", "#root.args[4].nam", "#text.toString()", "'literal'.length()", "#ids", "#list" })
	void aNameThatMayExistIsNone(String expression) {
		this.beans.registerSingleton("beans", new Customer());
		assertThat(parser().parseKey(expression, payOfPayments(), Payments.class).text()).isEqualTo(expression);
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

	private @Nullable Object value(String text, boolean after, @Nullable Object result) {
		return parser().parse(text, FIND, Shop.class, after).value(new Shop(), new Object[] { "pen", 3 }, result);
	}

	private static Method payOfPayments() {
		return List.of(ReflectionUtils.getUniqueDeclaredMethods(Payments.class))
			.stream()
			.filter((method) -> method.getName().equals("pay") && !method.isBridge())
			.findFirst()
			.orElseThrow();
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

	static class Shop {

		public String find(String name, int count) {
			return name + count;
		}

	}

	record Order(long id, Customer customer, Event event) {

	}

	static class Customer {

		public @Nullable String getName() {
			return null;
		}

	}

	interface Event {

		long getId();

	}

	abstract static class Service<T> {

		abstract void pay(String id, int number, Order order, Object object, Customer customer, Event event,
				String[] ids, List<Order> list, Map<String, String> map, Optional<Order> optional, Class<?> type,
				byte[] bytes, AtomicReference<String> reference, CharSequence text, T element);

	}

	static class Payments extends Service<Order> {

		@Override
		void pay(String id, int number, Order order, Object object, Customer customer, Event event, String[] ids,
				List<Order> list, Map<String, String> map, Optional<Order> optional, Class<?> type, byte[] bytes,
				AtomicReference<String> reference, CharSequence text, Order element) {
		}

	}

}
