package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;

import io.github.lockboot.advice.AnnotatedBean;

/**
 * An annotated method of a bean.
 *
 * @param bean the bean
 * @param method the method
 */
record CachedBean(AnnotatedBean bean, Method method) {

	String describe() {
		return CacheDeclaration.describe(this.method);
	}

}
