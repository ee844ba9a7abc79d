package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.util.ReflectionUtils.MethodFilter;

import io.github.lockboot.scan.AnnotatedTypes;

/**
 * Looks for annotated methods in all beans of an application, and makes none of them.
 */
final class CachedBeans {

	private final ConfigurableListableBeanFactory beanFactory;

	private final AnnotatedTypes annotated;

	CachedBeans(ConfigurableListableBeanFactory beanFactory, AnnotatedTypes annotated) {
		this.beanFactory = beanFactory;
		this.annotated = annotated;
	}

	List<CachedBean> findAll() {
		List<CachedBean> found = new ArrayList<>();
		Iterator<String> names = this.beanFactory.getBeanNamesIterator();
		while (names.hasNext()) {
			addMethods(names.next(), found);
		}
		found.sort(Comparator.comparing(CachedBean::describe));
		return found;
	}

	private void addMethods(String beanName, List<CachedBean> found) {
		Class<?> type = isAbstract(beanName) ? null : AutoProxyUtils.determineTargetClass(this.beanFactory, beanName);
		if (type == null || !this.annotated.contains(type)) {
			return;
		}
		Object bean = existing(beanName);
		if (!(bean instanceof ScopedObject)) {
			annotated(type).forEach((method) -> found.add(new CachedBean(beanName, type, method, bean)));
		}
	}

	private static Set<Method> annotated(Class<?> type) {
		MethodFilter filter = (method) -> CacheDeclaration.find(method, type) != null;
		try {
			return MethodIntrospector.selectMethods(type, filter);
		}
		catch (IllegalStateException | NoClassDefFoundError ex) {
			// a signature with a class that is not there: such a bean can't be made
			return Set.of();
		}
	}

	private boolean isAbstract(String beanName) {
		return this.beanFactory.containsBeanDefinition(beanName)
				&& this.beanFactory.getBeanDefinition(beanName).isAbstract();
	}

	private @Nullable Object existing(String beanName) {
		boolean made = this.beanFactory.containsSingleton(beanName) && !this.beanFactory.isFactoryBean(beanName);
		return made ? this.beanFactory.getSingleton(beanName) : null;
	}

}
