package io.github.lockboot.advice;

import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

import io.github.lockboot.Internal;

/**
 * The beans of an application whose types have an annotation somewhere. To look for them
 * makes none of them.
 *
 * @since 1.0.0
 */
@Internal
public final class AnnotatedBeans {

	private final ConfigurableListableBeanFactory beanFactory;

	private final Predicate<Class<?>> annotated;

	/**
	 * Create the set of beans.
	 * @param beanFactory the beans of the application
	 * @param annotated whether a type has the annotation somewhere
	 */
	public AnnotatedBeans(ConfigurableListableBeanFactory beanFactory, Predicate<Class<?>> annotated) {
		this.beanFactory = beanFactory;
		this.annotated = annotated;
	}

	/**
	 * Look at all beans.
	 * @return the annotated ones; in place of a scoped proxy, its target
	 */
	public Stream<AnnotatedBean> stream() {
		Stream.Builder<String> names = Stream.builder();
		this.beanFactory.getBeanNamesIterator().forEachRemaining(names);
		return names.build().map(this::find).filter(Objects::nonNull);
	}

	private @Nullable AnnotatedBean find(String name) {
		Class<?> type = isAbstract(name) ? null : AutoProxyUtils.determineTargetClass(this.beanFactory, name);
		if (type == null || !this.annotated.test(type)) {
			return null;
		}
		Object instance = existing(name);
		boolean standsForAnother = instance instanceof ScopedObject;
		return standsForAnother ? null : new AnnotatedBean(name, type, instance);
	}

	private boolean isAbstract(String name) {
		return this.beanFactory.containsBeanDefinition(name) && this.beanFactory.getBeanDefinition(name).isAbstract();
	}

	private @Nullable Object existing(String name) {
		boolean made = this.beanFactory.containsSingleton(name) && !this.beanFactory.isFactoryBean(name);
		return made ? this.beanFactory.getSingleton(name) : null;
	}

}
