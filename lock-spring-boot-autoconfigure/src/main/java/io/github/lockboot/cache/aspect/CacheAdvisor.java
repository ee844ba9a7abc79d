package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Puts the interceptor around annotated methods. Whether an annotation is valid does not
 * matter here: that is reported once, for all of them.
 */
@SuppressWarnings("serial")
final class CacheAdvisor extends DefaultPointcutAdvisor {

	CacheAdvisor(CacheInterceptor interceptor, int order) {
		super(new AnnotatedMethods(), interceptor);
		setOrder(order);
	}

	private static final class AnnotatedMethods extends StaticMethodMatcherPointcut {

		AnnotatedMethods() {
			setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, CacheDeclaration.TYPES));
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return CacheDeclaration.find(method, targetClass) != null;
		}

	}

}
