package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;

import io.github.lockboot.Internal;

/**
 * Keeps the attributes of every annotated method, parsed at the first call at the latest.
 * Thread-safe.
 *
 * @param <D> what the annotations of one method declare
 * @param <A> what is made of that
 * @since 1.0.0
 */
@Internal
public final class AnnotatedMethodSource<D, A> {

	private final DeclarationFinder<D> finder;

	private final BiFunction<D, Class<?>, A> parser;

	private final Map<MethodClassKey, A> parsed = new ConcurrentHashMap<>();

	/**
	 * Create a source.
	 * @param finder finds the annotations
	 * @param parser parses them, for the class of the object that the method is called on
	 */
	public AnnotatedMethodSource(DeclarationFinder<D> finder, BiFunction<D, Class<?>, A> parser) {
		this.finder = finder;
		this.parser = parser;
	}

	/**
	 * Return the attributes of a called method. The advice is never to be passed by, so
	 * that a method without any is an error.
	 */
	public A get(MethodInvocation call) {
		Method method = call.getMethod();
		Object target = call.getThis();
		Class<?> type = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		// the class behind the proxy of a repository does not have its methods
		A found = method.getDeclaringClass().isAssignableFrom(type) ? find(method, type) : null;
		if (found == null && target != null && target.getClass() != type) {
			found = find(method, target.getClass());
		}
		if (found == null) {
			throw new IllegalStateException("No annotation is found for " + method + " on " + type);
		}
		return found;
	}

	/** Return the attributes of a method. */
	public @Nullable A find(Method method, Class<?> targetClass) {
		MethodClassKey id = new MethodClassKey(method, targetClass);
		A known = this.parsed.get(id);
		D declaration = (known != null) ? null : this.finder.find(method, targetClass);
		if (declaration == null) {
			return known;
		}
		A attributes = this.parser.apply(declaration, targetClass);
		this.parsed.put(id, attributes);
		return attributes;
	}

}
