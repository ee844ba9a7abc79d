package io.github.lockboot.aop;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

class AnnotatedMethodTests {

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	@Test
	void beanThatDoesNotExistYetIsFoundAndNotCreated() {
		this.beans.registerBeanDefinition("orders", new RootBeanDefinition(Orders.class));
		assertThat(find(Orders.class)).containsExactly(found(null));
		assertThat(this.beans.containsSingleton("orders")).isFalse();
	}

	@Test
	void abstractDefinitionIsNoBean() {
		RootBeanDefinition template = new RootBeanDefinition(Orders.class);
		template.setAbstract(true);
		this.beans.registerBeanDefinition("template", template);
		assertThat(find(Orders.class)).isEmpty();
	}

	@Test
	void beanWhoseMethodsNeedAMissingClassHasNone() {
		this.beans.registerSingleton("orders", new Orders());
		assertThat(AnnotatedMethod.find(this.beans, (type) -> true, (method, type) -> {
			throw new NoClassDefFoundError("missing");
		})).isEmpty();
	}

	private List<AnnotatedMethod<String>> find(Class<?> candidate) {
		return AnnotatedMethod
			.<String>find(this.beans, candidate::equals,
					(method, type) -> Set.of("pay", "removeFromScope").contains(method.getName()) ? "found" : null)
			.toList();
	}

	private static AnnotatedMethod<String> found(@Nullable Object bean) {
		return new AnnotatedMethod<>("orders", Orders.class, bean, ClassUtils.getMethod(Orders.class, "pay"), "found");
	}

	static class Orders {

		public void pay() {
		}

	}

}
