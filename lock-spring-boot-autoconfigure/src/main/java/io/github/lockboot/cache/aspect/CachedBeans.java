package io.github.lockboot.cache.aspect;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.github.lockboot.advice.AnnotatedBean;
import io.github.lockboot.advice.AnnotatedBeans;
import io.github.lockboot.advice.AnnotatedTypes;

/**
 * Looks for annotated methods in all beans of an application, and makes none of them.
 */
final class CachedBeans {

	private final AnnotatedBeans beans;

	CachedBeans(ConfigurableListableBeanFactory beanFactory, AnnotatedTypes annotated) {
		this.beans = new AnnotatedBeans(beanFactory, annotated::contains);
	}

	List<CachedBean> findAll() {
		return this.beans.stream()
			.flatMap(CachedBeans::methodsOf)
			.sorted(Comparator.comparing(CachedBean::describe))
			.toList();
	}

	private static Stream<CachedBean> methodsOf(AnnotatedBean bean) {
		return bean.methods((method) -> CacheDeclaration.find(method, bean.type()))
			.keySet()
			.stream()
			.map((method) -> new CachedBean(bean, method));
	}

}
