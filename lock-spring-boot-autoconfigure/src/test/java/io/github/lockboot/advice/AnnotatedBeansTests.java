package io.github.lockboot.advice;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

import static org.assertj.core.api.Assertions.assertThat;

class AnnotatedBeansTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@Test
	void aBeanThatWasNotMadeYetIsFoundAndNotMade() {
		this.beans.registerBeanDefinition("orders", new RootBeanDefinition(Orders.class));
		assertThat(find(Orders.class)).containsExactly(new AnnotatedBean("orders", Orders.class, null));
		assertThat(this.beans.containsSingleton("orders")).isFalse();
	}

	@Test
	void aBeanThatWasMadeIsFoundWithItsInstance() {
		Orders orders = new Orders();
		this.beans.registerSingleton("orders", orders);
		assertThat(find(Orders.class)).containsExactly(new AnnotatedBean("orders", Orders.class, orders));
	}

	@Test
	void aBeanWithoutAnnotationsIsNotFound() {
		this.beans.registerSingleton("orders", new Orders());
		assertThat(find(String.class)).isEmpty();
	}

	@Test
	void anAbstractDefinitionIsNoBean() {
		RootBeanDefinition template = new RootBeanDefinition(Orders.class);
		template.setAbstract(true);
		this.beans.registerBeanDefinition("template", template);
		assertThat(find(Orders.class)).isEmpty();
	}

	@Test
	void aStandInForABeanInAScopeIsNotFound() {
		this.beans.registerSingleton("standIn", new StandIn());
		assertThat(find(StandIn.class)).isEmpty();
	}

	@Test
	void methodsAreToldWithWhatIsFoundAtThem() throws NoSuchMethodException {
		Method pay = Orders.class.getMethod("pay");
		assertThat(methods((method) -> method.equals(pay) ? "found" : null)).isEqualTo(Map.of(pay, "found"));
	}

	@Test
	void aBeanWhoseMethodsNeedAMissingClassHasNone() {
		assertThat(methods((method) -> {
			throw new NoClassDefFoundError("missing");
		})).isEmpty();
	}

	private List<AnnotatedBean> find(Class<?> annotated) {
		return new AnnotatedBeans(this.beans, annotated::equals).stream().toList();
	}

	private static Map<Method, String> methods(Lookup lookup) {
		return new AnnotatedBean("orders", Orders.class, null).methods(lookup::find);
	}

	private interface Lookup {

		@Nullable String find(Method method);

	}

	static class Orders {

		public void pay() {
		}

	}

	static class StandIn implements ScopedObject {

		@Override
		public Object getTargetObject() {
			return this;
		}

		@Override
		public void removeFromScope() {
		}

	}

}
