package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

import org.aopalliance.aop.Advice;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.util.ClassUtils;

import io.github.lockboot.Internal;

/**
 * Applies an advice to annotated methods. An invalid annotation does not matter here,
 * because the check at startup reports all invalid annotations together. A class that
 * cannot be proxied is reported here, because the creation of its bean would fail.
 *
 * @param <D> what the annotations of a method declare
 */
@Internal
@SuppressWarnings("serial")
public final class AnnotatedMethodAdvisor<D> extends StaticMethodMatcherPointcutAdvisor {

	private final DeclarationFinder<D> finder;

	private final Predicate<? super D> applies;

	private final String verb;

	private final Function<List<String>, RuntimeException> failure;

	/**
	 * Create an advisor.
	 * @param applies to which declarations the advisor applies
	 * @param order order of the advisor; an advisor with a lower order is outside
	 * @param verb what the advice does to a method, such as "lock"
	 * @param failure creates the exception for a class that cannot be proxied
	 */
	public AnnotatedMethodAdvisor(DeclarationFinder<D> finder, Predicate<? super D> applies, Advice advice, int order,
			String verb, Function<List<String>, RuntimeException> failure) {
		super(advice);
		this.finder = finder;
		this.applies = applies;
		this.verb = verb;
		this.failure = failure;
		setClassFilter(finder::isCandidate);
		setOrder(order);
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
