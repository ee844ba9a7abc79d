package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedObject;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * An annotated method of a bean.
 *
 * @param <D> what the annotations of the method declare
 * @param beanType class of the bean behind its proxies
 * @param bean the bean, or {@code null} if it does not exist yet
 */
@Internal
public record AnnotatedMethod<D>(String beanName, Class<?> beanType, @Nullable Object bean, Method method,
		D declaration) {

	private static final Log logger = LogFactory.getLog(AnnotatedMethod.class);

	/** Describe the method in a message. */
	public String describe() {
		return MethodNames.describe(this.method);
	}

	/**
	 * Find the annotated methods of all beans, without creating a bean. The methods of a
	 * scoped proxy are those of its target.
	 * @param candidate whether to search a type at all
	 * @param lookup returns what a method of a type declares, or {@code null}
	 */
	public static <D> Stream<AnnotatedMethod<D>> find(ConfigurableListableBeanFactory beanFactory,
			Predicate<Class<?>> candidate, BiFunction<Method, Class<?>, @Nullable D> lookup) {
		Stream.Builder<String> names = Stream.builder();
		beanFactory.getBeanNamesIterator().forEachRemaining(names);
		return names.build()
			.filter((name) -> !isAbstract(beanFactory, name))
			.flatMap((name) -> Stream.concat(ofFactory(beanFactory, name, candidate, lookup),
					ofBean(beanFactory, name, candidate, lookup)));
	}

	private static <D> Stream<AnnotatedMethod<D>> ofBean(ConfigurableListableBeanFactory beanFactory, String name,
			Predicate<Class<?>> candidate, BiFunction<Method, Class<?>, @Nullable D> lookup) {
		Class<?> type = AutoProxyUtils.determineTargetClass(beanFactory, name);
		Object bean = (type != null && candidate.test(type)) ? existing(beanFactory, name) : null;
		return (type == null || !candidate.test(type) || bean instanceof ScopedObject) ? Stream.empty()
				: find(name, type, bean, lookup);
	}

	/** Find the methods of a factory, whose bean has another class. */
	private static <D> Stream<AnnotatedMethod<D>> ofFactory(ConfigurableListableBeanFactory beanFactory, String name,
			Predicate<Class<?>> candidate, BiFunction<Method, Class<?>, @Nullable D> lookup) {
		Object factory = (beanFactory.isFactoryBean(name) && beanFactory.containsSingleton(name))
				? beanFactory.getSingleton(name) : null;
		// a ProxyFactoryBean knows the class of its target, too
		Class<?> type = !(factory instanceof FactoryBean) ? null : AopUtils.isAopProxy(factory)
				? AopProxyUtils.ultimateTargetClass(factory) : ClassUtils.getUserClass(factory);
		return (type != null && candidate.test(type)) ? find(name, type, factory, lookup) : Stream.empty();
	}

	/** Find the annotated methods of a bean. */
	public static <D> Stream<AnnotatedMethod<D>> find(String name, Class<?> type, @Nullable Object bean,
			BiFunction<Method, Class<?>, @Nullable D> lookup) {
		MetadataLookup<D> own = (method) -> KotlinFunctions.isOverload(method) ? null : lookup.apply(method, type);
		return Stream.concat(Stream.of(type), KotlinFunctions.companion(type))
			.flatMap((each) -> methods(each, own).entrySet().stream())
			.map((found) -> new AnnotatedMethod<>(name, type, bean, found.getKey(), found.getValue()));
	}

	private static boolean isAbstract(ConfigurableListableBeanFactory beanFactory, String name) {
		return beanFactory.containsBeanDefinition(name) && beanFactory.getBeanDefinition(name).isAbstract();
	}

	private static @Nullable Object existing(ConfigurableListableBeanFactory beanFactory, String name) {
		boolean exists = beanFactory.containsSingleton(name) && !beanFactory.isFactoryBean(name);
		return exists ? beanFactory.getSingleton(name) : null;
	}

	private static <D> Map<Method, D> methods(Class<?> type, MetadataLookup<D> lookup) {
		try {
			return MethodIntrospector.selectMethods(type, lookup);
		}
		catch (IllegalStateException | NoClassDefFoundError ex) {
			// a signature with a missing class: such a bean cannot be created
			logger.debug("Methods of " + type.getName() + " can't be read", ex);
			return Map.of();
		}
	}

}
