package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

import io.github.lockboot.Internal;

/**
 * Determines why the proxy of a bean would not pass calls of a method to an advice.
 *
 * @param verb what the advice does to a method, such as "lock"
 * @param participle the participle of the verb, such as "locked"
 */
@Internal
public record ProxyCheck(Advice advice, String verb, String participle) {

	private static final String MOCKITO = "org.mockito.Mockito";

	/**
	 * Return why calls of a method do not reach the advice, as the end of a sentence with
	 * the solution. Return {@code null} if the calls reach the advice, and for a mock,
	 * which has no body.
	 */
	public @Nullable String problemOf(AnnotatedMethod<?> annotated) {
		int modifiers = annotated.method().getModifiers();
		if (annotated.method().getDeclaringClass().getEnclosingClass() == annotated.beanType()) {
			return "is in a companion object, which is no bean: move it to the class itself";
		}
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
			return "is " + (Modifier.isPrivate(modifiers) ? "private" : "static") + ", so that no proxy can "
					+ this.verb + " it: make it a public method of the bean";
		}
		if (isHidden(annotated.method(), annotated.beanType())) {
			return "is package-private in another package than its bean '" + annotated.beanName()
					+ "', so that no proxy can " + this.verb + " it: make it public or protected";
		}
		if (AopUtils.isFinalizeMethod(annotated.method())) {
			return "is a finalizer, so that no proxy can " + this.verb + " it: move its work to another method";
		}
		if (ReflectionUtils.isEqualsMethod(annotated.method())
				|| ReflectionUtils.isHashCodeMethod(annotated.method())) {
			return "is answered by the proxy itself, which does not " + this.verb
					+ " it: move its work to another method";
		}
		if (annotated.bean() != null && AopUtils.isJdkDynamicProxy(annotated.bean())) {
			return isExposed(annotated, annotated.bean()) ? problemOfBean(annotated)
					: "is not declared in an interface of its bean '" + annotated.beanName() + "', which has a"
							+ " JDK proxy: add the method to an interface, or set spring.aop.proxy-target-class=true";
		}
		String problem = problemOfBean(annotated);
		return (problem != null || !Modifier.isFinal(modifiers)) ? problem
				: "is final, so that no proxy can " + this.verb + " it: " + cure(annotated.beanType());
	}

	private @Nullable String problemOfBean(AnnotatedMethod<?> annotated) {
		Object bean = annotated.bean();
		Class<?> type = annotated.beanType();
		boolean interfaces = ClassUtils.getAllInterfacesForClass(type).length > 0;
		boolean unadvised = bean != null && !isAdvised(bean) && !isMock(bean);
		boolean closed = Modifier.isFinal(type.getModifiers()) || type.isSealed();
		if (closed && (unadvised || (bean == null && !interfaces))) {
			return "is in a " + (type.isSealed() ? "sealed" : "final") + " class"
					+ (interfaces ? "" : " without an interface") + ", which no proxy can " + this.verb + ": "
					+ cure(type);
		}
		return unadvised ? "is not " + this.participle + ", since its bean '" + annotated.beanName()
				+ "' is not proxied: the bean was created before the proxy creator, for instance as a"
				+ " dependency of a BeanPostProcessor, or the container did not create it" : null;
	}

	/**
	 * Return whether a subclass of the bean's class, such as a proxy, can't override a
	 * package-private method: it is in another package, or its class has another loader.
	 */
	private static boolean isHidden(Method method, Class<?> beanType) {
		int visible = Modifier.PUBLIC | Modifier.PROTECTED;
		Class<?> declaring = method.getDeclaringClass();
		return (method.getModifiers() & visible) == 0 && (!declaring.getPackageName().equals(beanType.getPackageName())
				|| declaring.getClassLoader() != beanType.getClassLoader());
	}

	/**
	 * Return the solution for a final class. A Kotlin class is final by default, and some
	 * classes can't be anything else.
	 */
	private static String cure(Class<?> type) {
		if (type.isRecord() || type.isEnum() || KotlinFunctions.isAlwaysFinal(type)) {
			return "move the method to a class that can be extended";
		}
		return KotlinDetector.isKotlinType(type) ? "make it 'open'"
				: "remove '" + (type.isSealed() ? "sealed" : "final") + "'";
	}

	private boolean isAdvised(Object bean) {
		if (!(bean instanceof Advised advised)) {
			return AopUtils.isAopProxy(bean);
		}
		if (Arrays.stream(advised.getAdvisors()).anyMatch((advisor) -> advisor.getAdvice() == this.advice)) {
			return true;
		}
		// a proxy around a proxy
		Object target = AopUtils.isAopProxy(bean) ? AopProxyUtils.getSingletonTarget(bean) : null;
		return target != null && isAdvised(target);
	}

	private static boolean isExposed(AnnotatedMethod<?> annotated, Object proxy) {
		return Arrays.stream(proxy.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.flatMap((declared) -> Stream.of(declared, AopUtils.getMostSpecificMethod(declared, annotated.beanType())))
			.anyMatch((method) -> method.equals(annotated.method())
					|| KotlinBridges.calledBy(method).contains(annotated.method()));
	}

	/**
	 * Return whether a bean is a mock, which a test of an application may define. A spy
	 * does not count, because it runs the body of its bean.
	 */
	private static boolean isMock(Object bean) {
		ClassLoader classLoader = ProxyCheck.class.getClassLoader();
		if (!ClassUtils.isPresent(MOCKITO, classLoader)) {
			return false;
		}
		Class<?> mockito = ClassUtils.resolveClassName(MOCKITO, classLoader);
		Method mockingDetails = ClassUtils.getMethod(mockito, "mockingDetails", Object.class);
		Object details = ReflectionUtils.invokeMethod(mockingDetails, null, bean);
		return is("isMock", mockingDetails, details) && !is("isSpy", mockingDetails, details);
	}

	private static boolean is(String property, Method mockingDetails, @Nullable Object details) {
		Method method = ClassUtils.getMethod(mockingDetails.getReturnType(), property);
		return Boolean.TRUE.equals(ReflectionUtils.invokeMethod(method, details));
	}

}
