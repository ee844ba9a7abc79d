package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.util.ClassUtils;

/**
 * Puts the interceptor around annotated methods. Whether an annotation is valid does not
 * matter here: that is reported once, for all of them. A class that can't be proxied must
 * be, since its bean would not come so far.
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
			setClassFilter(finder::isCandidate);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			boolean annotated = this.finder.find(method, targetClass) != null;
			if (annotated && Modifier.isFinal(targetClass.getModifiers()) && !hasInterface(targetClass)) {
				throw new InvalidLockAnnotationException(List.of(LockDeclaration.describe(method)
						+ " is in a final class without an interface, which no proxy can lock: remove 'final'"));
			}
			return annotated;
		}

		private static boolean hasInterface(Class<?> type) {
			return ClassUtils.getAllInterfacesForClass(type).length > 0;
		}

	}

}
