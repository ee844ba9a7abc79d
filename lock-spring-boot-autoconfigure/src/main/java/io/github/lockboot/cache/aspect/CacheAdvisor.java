package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

import io.github.lockboot.advice.AnnotatedTypes;

/**
 * Puts the interceptor around annotated methods. Whether an annotation is valid does not
 * matter here: that is reported once, for all of them.
 */
@SuppressWarnings("serial")
final class CacheAdvisor extends DefaultPointcutAdvisor {

	CacheAdvisor(AnnotatedTypes annotated, CacheInterceptor interceptor, int order) {
		super(new AnnotatedMethods(annotated), interceptor);
		setOrder(order);
	}

	private static final class AnnotatedMethods extends StaticMethodMatcherPointcut {

		AnnotatedMethods(AnnotatedTypes annotated) {
			setClassFilter(annotated::contains);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return CacheDeclaration.find(method, targetClass) != null;
		}

	}

}
