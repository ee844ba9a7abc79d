package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

/**
 * An annotated method of a bean.
 *
 * @param beanName name of the bean
 * @param type class of the bean behind its proxies
 * @param method the method
 * @param bean the bean, or {@code null} if it was not made yet
 */
record CachedBean(String beanName, Class<?> type, Method method, @Nullable Object bean) {

	String describe() {
		return CacheDeclaration.describe(this.method);
	}

}
