package io.github.lockboot.annotation;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.github.lockboot.advice.AnnotatedBean;
import io.github.lockboot.advice.AnnotatedBeans;

/**
 * Looks for annotated methods in all beans of an application, and makes none of them.
 */
final class LockedMethods {

	private final AnnotatedBeans beans;

	private final LockDeclarationFinder finder;

	LockedMethods(ConfigurableListableBeanFactory beanFactory, LockDeclarationFinder finder) {
		this.beans = new AnnotatedBeans(beanFactory, finder::isCandidate);
		this.finder = finder;
	}

	List<LockedMethod> findAll() {
		return this.beans.stream()
			.flatMap(this::methodsOf)
			.sorted(Comparator.comparing(LockedMethod::describe))
			.toList();
	}

	private Stream<LockedMethod> methodsOf(AnnotatedBean bean) {
		return bean.methods((method) -> this.finder.find(method, bean.type()))
			.entrySet()
			.stream()
			.map((found) -> new LockedMethod(bean, found.getKey(), found.getValue()));
	}

}
