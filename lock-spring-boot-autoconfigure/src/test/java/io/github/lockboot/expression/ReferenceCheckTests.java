package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Names in expressions, checked at the start.
 */
class ReferenceCheckTests {

	private final MethodExpressionParser parser = new MethodExpressionParser(beans(), (text) -> text);

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					id                      | property 'id'; a parameter is #id, and a literal needs quotes: 'id'
					order-#id               | property 'order'; a parameter is #order
					order + #id             | property 'order'
					'order' + id            | property 'id'
					{id}                    | property 'id'
					{#id, name}             | property 'name'
					id != null              | property 'id'
					#id == id               | property 'id'
					#id ?: id               | property 'id'
					#order != null ? id : 1 | property 'id'
					!flag                   | property 'flag'
					id matches 'a.*'        | property 'id'
					id.length()             | property 'id'
					id++                    | property 'id'
					@beans.keyOf(id)        | property 'id'
					#id.concat(id)          | property 'id'
					new String(id)          | property 'id'
					#list[id]               | property 'id'
					{a: id}                 | property 'id'
					k:#{id}                 | property 'id'
					keyOf(#id)              | method 'keyOf' with 1 arguments; a method of the bean is #root.target.keyOf()
					#root.targt             | property 'targt'
					#order.idd              | property 'idd' of io.github.lockboot.expression.ReferenceCheckTests$Order
					#order?.idd             | property 'idd' of
					#order.customer.nam     | property 'nam' of io.github.lockboot.expression.ReferenceCheckTests$Customer
					#order.getIdd()         | method 'getIdd' with 0 arguments of
					#order.id(1)            | method 'id' with 1 arguments of
					#id.value               | property 'value' of java.lang.String
					#id.lenght()            | method 'lenght' with 0 arguments of java.lang.String
					#p0.value               | property 'value' of java.lang.String
					#number.value           | property 'value' of java.lang.Integer
					#customer.nam           | property 'nam' of io.github.lockboot.expression.ReferenceCheckTests$Customer; if a subclass has it, begin with #root.args[0]
					#element.idd            | property 'idd' of io.github.lockboot.expression.ReferenceCheckTests$Order
					""")
	void anUnknownNameIsAnErrorInAKeyAndInACondition(String expression, String problem) {
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> key(expression))
			.withMessageStartingWith("names the unknown " + problem);
		if (!expression.contains("#{")) {
			assertThatExceptionOfType(MethodExpressionException.class)
				.isThrownBy(() -> this.parser.parseCondition(expression, method(), Orders.class, false))
				.withMessageStartingWith("names the unknown " + problem);
		}
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
		assertThat(key(expression).text()).isEqualTo(expression);
	}

	@ParameterizedTest
	@ValueSource(strings = { "my-lock", "orders", "my:lock", "my lock", "orders.pay", "a/b" })
	void aTextWithoutAVariableWasProbablyMeantAsTheName(String key) {
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> key(key))
			.withMessageEndingWith("the value of the annotation is its key: did you mean name = \"" + key + "\"?");
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> key("number"))
			.withMessageNotContaining("did you mean");
	}

	@ParameterizedTest
	@CsvSource({ "#bytes, is a byte[]", "k:#{#bytes}, is a byte[]", "#map, is a map where one", "k:#{#map}, is a map",
			"k:#{#list}, is a collection where one", "k:#{#ids}, is an array where one",
			"#reference, 'is a java.util.concurrent.atomic.AtomicReference, of which no text'" })
	void aDeclaredTypeThatNoKeyHasIsAnErrorAtTheStart(String expression, String problem) {
		assertThatExceptionOfType(MethodExpressionException.class).isThrownBy(() -> key(expression))
			.withMessageStartingWith(problem);
	}

	private MethodExpression key(String expression) {
		return this.parser.parseKey(expression, method(), Orders.class);
	}

	private static Method method() {
		return List.of(ReflectionUtils.getUniqueDeclaredMethods(Orders.class))
			.stream()
			.filter((method) -> method.getName().equals("pay") && !method.isBridge())
			.findFirst()
			.orElseThrow();
	}

	private static DefaultListableBeanFactory beans() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("beans", new Customer());
		return beans;
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

	static class Orders extends Service<Order> {

		@Override
		void pay(String id, int number, Order order, Object object, Customer customer, Event event, String[] ids,
				List<Order> list, Map<String, String> map, Optional<Order> optional, Class<?> type, byte[] bytes,
				AtomicReference<String> reference, CharSequence text, Order element) {
		}

	}

}
