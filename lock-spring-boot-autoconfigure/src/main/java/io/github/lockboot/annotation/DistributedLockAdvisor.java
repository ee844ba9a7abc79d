package io.github.lockboot.annotation;

import java.lang.reflect.Method;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/**
 * Puts the interceptor around annotated methods. Whether an annotation is valid does not
 * matter here: that is reported once, for all of them.
 */
@SuppressWarnings("serial")
final class DistributedLockAdvisor extends DefaultPointcutAdvisor {

	DistributedLockAdvisor(LockDeclarationFinder finder, DistributedLockInterceptor interceptor, int order) {
		super(new AnnotatedMethods(finder), interceptor);
		setOrder(order);
	}

	private static final class AnnotatedMethods extends StaticMethodMatcherPointcut {

		private final LockDeclarationFinder finder;

		AnnotatedMethods(LockDeclarationFinder finder) {
			this.finder = finder;
			setClassFilter((type) -> AnnotationUtils.isCandidateClass(type, DistributedLock.class));
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			return this.finder.find(method, targetClass) != null;
		}

	}

}
