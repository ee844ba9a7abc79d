package io.github.lockboot.expression;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Names in expressions, checked at the start.
 */
class ReferenceCheckTests {

	private final MethodExpressionParser parser = new MethodExpressionParser(beans(), (text) -> text);

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
