package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;

import io.github.lockboot.LockException;
import io.github.lockboot.LockRequest;

/**
 * Tells why a method would run without its lock, or fail at every call.
 */
final class LockedMethodCheck {

	private static final Set<String> LIFECYCLE = Set.of("jakarta.annotation.PostConstruct",
			"jakarta.annotation.PreDestroy");

	private final LockAttributesSource attributes;

	private final LockTemplates templates;

	private final DistributedLockInterceptor interceptor;

	private final boolean woven;

	LockedMethodCheck(LockAttributesSource attributes, LockTemplates templates, DistributedLockInterceptor interceptor,
			boolean woven) {
		this.attributes = attributes;
		this.templates = templates;
		this.interceptor = interceptor;
		this.woven = woven;
	}

	/**
	 * Return what is wrong with a method.
	 * @return a sentence with the cure, or {@code null} if nothing is wrong
	 */
	@Nullable String problemOf(LockedMethod locked) {
		String problem = this.woven ? WovenMethodCheck.problemOf(locked) : problemOfProxied(locked);
		return (problem != null) ? locked.describe() + " " + problem : invalidAttributes(locked);
	}

	private @Nullable String problemOfProxied(LockedMethod locked) {
		String problem = problemOfDeclaration(locked);
		return (problem != null) ? problem : problemOfProxy(locked);
	}

	private @Nullable String problemOfDeclaration(LockedMethod locked) {
		int modifiers = locked.method().getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
			return "is " + (Modifier.isPrivate(modifiers) ? "private" : "static")
					+ ", so that no proxy can lock it: make it a public method of the bean";
		}
		if (locked.isAnnotatedItself() && isCalledByTheContainer(locked.method())) {
			return "is called by the container on the bean itself and not on its proxy, so that it would not be locked:"
					+ " move its work into a method of another bean";
		}
		return null;
	}

	private static boolean isCalledByTheContainer(Method method) {
		return Arrays.stream(method.getAnnotations())
			.anyMatch((annotation) -> LIFECYCLE.contains(annotation.annotationType().getName()));
	}

	private @Nullable String problemOfProxy(LockedMethod locked) {
		Object bean = locked.bean();
		if (bean != null && !isAdvised(bean) && !MockedBean.isMock(bean)) {
			return "is not locked, since its bean '" + locked.beanName() + "' is not proxied: it was made before the"
					+ " proxy creator, for instance as a dependency of a BeanPostProcessor, or not by the container";
		}
		if (bean != null && AopUtils.isJdkDynamicProxy(bean)) {
			return isExposed(locked.method(), locked.type(), bean) ? null
					: "is in no interface of its bean '" + locked.beanName() + "', which has a JDK proxy: add it to an"
							+ " interface, or set spring.aop.proxy-target-class=true";
		}
		return Modifier.isFinal(locked.method().getModifiers())
				? "is final, so that no proxy can lock it: remove 'final'" : null;
	}

	private static boolean isExposed(Method method, Class<?> targetClass, Object proxy) {
		return Arrays.stream(proxy.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((declared) -> declared.equals(method)
					|| AopUtils.getMostSpecificMethod(declared, targetClass).equals(method));
	}

	private boolean isAdvised(Object bean) {
		if (!(bean instanceof Advised advised)) {
			return AopUtils.isAopProxy(bean);
		}
		if (Arrays.stream(advised.getAdvisors()).anyMatch((advisor) -> advisor.getAdvice() == this.interceptor)) {
			return true;
		}
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

	private @Nullable String invalidAttributes(LockedMethod locked) {
		try {
			LockAttributes attributes = this.attributes.find(locked.method(), locked.type());
			return (attributes != null) ? unsupported(locked, attributes) : null;
		}
		catch (LockException ex) {
			return ex.getMessage();
		}
	}

	/** Asks the template only about what some can't do: it may have to be made first. */
	private @Nullable String unsupported(LockedMethod locked, LockAttributes attributes) {
		LockRequest request = attributes.request();
		if (request.isExclusive() || request.isShared()) {
			return null;
		}
		try {
			this.templates.get(attributes.template()).requireSupported(request);
			return null;
		}
		catch (UnsupportedOperationException ex) {
			return locked.describe() + " would fail at every call: " + ex.getMessage()
					+ ", which the annotation names by 'template'";
		}
	}

}
