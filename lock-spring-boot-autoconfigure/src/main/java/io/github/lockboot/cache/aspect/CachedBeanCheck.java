package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.support.AopUtils;

import io.github.lockboot.cache.CacheException;
import io.github.lockboot.cache.CacheOperations;

/**
 * Tells why a method would not be cached as its annotation says.
 */
final class CachedBeanCheck {

	private final CachedMethodSource methods;

	private final CacheInterceptor interceptor;

	private final CacheOperations operations;

	private final SharedCaches shared = new SharedCaches();

	CachedBeanCheck(CachedMethodSource methods, CacheInterceptor interceptor, CacheOperations operations) {
		this.methods = methods;
		this.interceptor = interceptor;
		this.operations = operations;
	}

	/**
	 * Return what is wrong with a method.
	 * @return a sentence with the cure, or {@code null} if nothing is wrong
	 */
	@Nullable String problemOf(CachedBean cached) {
		String problem = problemOfDeclaration(cached.method());
		if (problem == null) {
			problem = problemOfProxy(cached);
		}
		return (problem != null) ? cached.describe() + " " + problem : problemOfAnnotations(cached);
	}

	/** Return what is hardly meant by the methods that were looked at. */
	List<String> warnings() {
		return this.shared.conflicts();
	}

	private @Nullable String problemOfDeclaration(Method method) {
		int modifiers = method.getModifiers();
		if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
			return "is " + (Modifier.isPrivate(modifiers) ? "private" : "static")
					+ ", so that no proxy can cache it: make it a public method of the bean";
		}
		return null;
	}

	private @Nullable String problemOfProxy(CachedBean cached) {
		Object bean = cached.bean();
		if (bean != null && !isAdvised(bean) && !isMock(bean)) {
			return "is not cached, since its bean '" + cached.beanName() + "' is not proxied: it was made before the"
					+ " proxy creator, for instance as a dependency of a BeanPostProcessor, or not by the container";
		}
		if (bean != null && AopUtils.isJdkDynamicProxy(bean)) {
			return isExposed(cached.method(), cached.type(), bean) ? null : "is in no interface of its bean '"
					+ cached.beanName()
					+ "', which has a JDK proxy: add it to an interface, or set spring.aop.proxy-target-class=true";
		}
		return Modifier.isFinal(cached.method().getModifiers())
				? "is final, so that no proxy can cache it: remove 'final'" : null;
	}

	private boolean isAdvised(Object bean) {
		if (!(bean instanceof Advised advised)) {
			return AopUtils.isAopProxy(bean);
		}
		if (Arrays.stream(advised.getAdvisors()).anyMatch((advisor) -> advisor.getAdvice() == this.interceptor)) {
			return true;
		}
		// a proxy around a proxy
		Object target = AopUtils.isAopProxy(bean) ? AopProxyUtils.getSingletonTarget(bean) : null;
		return target != null && isAdvised(target);
	}

	/** It has no body whose results could be kept. */
	private static boolean isMock(Object bean) {
		return bean.getClass().getName().contains("$MockitoMock$");
	}

	private static boolean isExposed(Method method, Class<?> targetClass, Object proxy) {
		return Arrays.stream(proxy.getClass().getInterfaces())
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((declared) -> declared.equals(method)
					|| AopUtils.getMostSpecificMethod(declared, targetClass).equals(method));
	}

	private @Nullable String problemOfAnnotations(CachedBean cached) {
		try {
			CachedMethod found = this.methods.find(cached.method(), cached.type());
			if (found != null) {
				found.specs().forEach(this.operations::check);
				this.shared.add(cached, found);
			}
			return null;
		}
		catch (CacheException ex) {
			return String.valueOf(ex.getMessage()).lines().reduce((first, last) -> last.trim()).orElse("");
		}
		catch (IllegalArgumentException ex) {
			return cached.describe() + ": " + ex.getMessage();
		}
	}

}
