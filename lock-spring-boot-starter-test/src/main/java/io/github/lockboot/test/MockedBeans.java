package io.github.lockboot.test;

import org.jspecify.annotations.Nullable;
import org.mockito.Mockito;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

import io.github.lockboot.aop.AnnotatedMethod;

/**
 * Marks the beans that a test replaces by mocks: they have no body to guard and get no
 * proxy, and the check of annotated methods leaves them out. A spy has the body of its
 * bean.
 */
final class MockedBeans implements BeanFactoryPostProcessor {

	private static final boolean MOCKITO = ClassUtils.isPresent("org.mockito.Mockito",
			MockedBeans.class.getClassLoader());

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
		for (String name : beans.getBeanDefinitionNames()) {
			if (isMock(beans, name)) {
				BeanDefinition definition = beans.getBeanDefinition(name);
				definition.setAttribute(AnnotatedMethod.UNADVISED, true);
			}
		}
	}

	static boolean isMock(ConfigurableListableBeanFactory beans, String name) {
		@Nullable Object bean = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
		return MOCKITO && bean != null && Mockito.mockingDetails(bean).isMock()
				&& !Mockito.mockingDetails(bean).isSpy();
	}

}
