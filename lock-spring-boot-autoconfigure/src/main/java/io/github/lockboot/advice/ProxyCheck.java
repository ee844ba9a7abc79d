package io.github.lockboot.advice;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;

import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;

import io.github.lockboot.Internal;

/**
 * Tells why calls of a method would not come to an advice by the proxy of its bean.
 *
 * @since 1.0.0
 */
@Internal
public final class ProxyCheck {

	private final Advice advice;

	private final String verb;

	private final String participle;

	/**
	 * Create a check.
	 * @param advice what the calls are to come to
	 * @param verb what it does to a method, such as "lock"
	 * @param participle what the method then is, such as "locked"
	 */
	public ProxyCheck(Advice advice, String verb, String participle) {
		this.advice = advice;
		this.verb = verb;
		this.participle = participle;
	}

	/**
	 * Return why no proxy can get hold of a method.
	 * @param method the method
	 * @return the end of a sentence, with the cure; {@code null} if nothing is wrong
	 */
	public @Nullable String problemOfDeclaration(Method method) {
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
			return "is " + (Modifier.isPrivate(modifiers) ? "private" : "static") + ", so that no proxy can "
					+ this.verb + " it: make it a public method of the bean";
		}
		return null;
	}

	/**
	 * Return why the proxy of a bean does not get hold of a method.
	 * @param bean the bean; of one that was not made yet little can be told
	 * @param method a method of it
	 * @return the end of a sentence, with the cure; {@code null} if nothing is wrong, and
	 * for a mock, which has no body
	 */
	public @Nullable String problemOfProxy(AnnotatedBean bean, Method method) {
		Object instance = bean.instance();
		if (instance != null && !isAdvised(instance) && !MockedBean.isMock(instance)) {
			return "is not " + this.participle + ", since its bean '" + bean.name() + "' is not proxied: it was made"
					+ " before the proxy creator, for instance as a dependency of a BeanPostProcessor, or not by the"
					+ " container";
		}
		if (instance != null && AopUtils.isJdkDynamicProxy(instance)) {
			return isExposed(method, bean.type(), instance) ? null
					: "is in no interface of its bean '" + bean.name() + "', which has a JDK proxy: add it to an"
							+ " interface, or set spring.aop.proxy-target-class=true";
		}
		return Modifier.isFinal(method.getModifiers())
				? "is final, so that no proxy can " + this.verb + " it: remove 'final'" : null;
	}

	private boolean isAdvised(Object bean) {
		if (!(bean instanceof Advised advised)) {
			return AopUtils.isAopProxy(bean);
		}
		if (Arrays.stream(advised.getAdvisors()).anyMatch((advisor) -> advisor.getAdvice() == this.advice)) {
			return true;
		}
		// a proxy around a proxy
		Object target = AopUtils.isAopProxy(bean) ? targetOf(advised) : null;
		return target != null && isAdvised(target);
	}

	private static @Nullable Object targetOf(Advised advised) {
		try {
			return advised.getTargetSource().isStatic() ? advised.getTargetSource().getTarget() : null;
		}
		catch (Exception ex) {
			throw new IllegalStateException("The target of a proxy can't be read", ex);
		}
	}

	private static boolean isExposed(Method method, Class<?> targetClass, Object proxy) {
		return Arrays.stream(proxy.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((declared) -> declared.equals(method)
					|| AopUtils.getMostSpecificMethod(declared, targetClass).equals(method));
	}

}
