package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import org.aopalliance.aop.Advice;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Applies an advice to annotated methods. An invalid annotation does not matter here,
 * because the check at startup reports all invalid annotations together. A class that
 * cannot be proxied is reported here, because the creation of its bean would fail.
 */
@Internal
@SuppressWarnings("serial")
public final class AnnotatedMethodAdvisor extends DefaultPointcutAdvisor {

	/**
	 * Create an advisor.
	 * @param applies to which declarations the advisor applies
	 * @param order order of the advisor; an advisor with a lower order is outside
	 * @param verb what the advice does to a method, such as "lock"
	 * @param failure creates the exception for a class that cannot be proxied
	 */
	public <D> AnnotatedMethodAdvisor(DeclarationFinder<D> finder, Predicate<? super D> applies, Advice advice,
			int order, String verb, Function<List<String>, RuntimeException> failure) {
		super(new AnnotatedMethods<>(finder, applies, verb, failure), advice);
		setOrder(order);
	}

	private static final class AnnotatedMethods<D> extends StaticMethodMatcherPointcut {

		private final DeclarationFinder<D> finder;

		private final Predicate<? super D> applies;

		private final String verb;

		private final Function<List<String>, RuntimeException> failure;

		AnnotatedMethods(DeclarationFinder<D> finder, Predicate<? super D> applies, String verb,
				Function<List<String>, RuntimeException> failure) {
			this.finder = finder;
			this.applies = applies;
			this.verb = verb;
			this.failure = failure;
			setClassFilter(finder::isCandidate);
		}

		@Override
		public boolean matches(Method method, Class<?> targetClass) {
			D declaration = this.finder.find(method, targetClass);
			boolean annotated = declaration != null && this.applies.test(declaration);
			if (annotated && Modifier.isFinal(targetClass.getModifiers())
					&& ClassUtils.getAllInterfacesForClass(targetClass).length == 0) {
				throw this.failure.apply(List
					.of(MethodNames.describe(method) + " is in a final class without an interface, which no proxy can "
							+ this.verb + ": " + ProxyCheck.cure(targetClass)));
			}
			return annotated;
		}

	}

}
