package io.github.lockboot.aop;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;

import io.github.lockboot.Internal;

/**
 * Passes each call of an annotated method to the advice of that method. The annotations
 * of a method are parsed once, at the latest at the first call. Thread-safe.
 *
 * @param <D> what the annotations of a method declare
 * @param <A> the advice of one method
 */
@Internal
public final class AnnotatedMethodInterceptor<D, A extends MethodInterceptor> implements MethodInterceptor {

	private final DeclarationFinder<D> finder;

	private final BiFunction<D, Class<?>, A> parser;

	private final Map<MethodClassKey, A> parsed = new ConcurrentHashMap<>();

	public AnnotatedMethodInterceptor(DeclarationFinder<D> finder, BiFunction<D, Class<?>, A> parser) {
		this.finder = finder;
		this.parser = parser;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation call) throws Throwable {
		if (call.getMethod().isBridge() && call instanceof ProxyMethodInvocation proxied
				&& KotlinBridges.isCalledOn(proxied)) {
			return KotlinBridges.call(proxied); // which calls an advised method
		}
		return get(call).invoke(call);
	}

	/**
	 * Return the advice of a call, which must never bypass its advice: a method without
	 * annotations is an error.
	 */
	private A get(MethodInvocation call) {
		Method method = call.getMethod();
		Object target = call.getThis();
		Class<?> type = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		// the class behind the proxy of a repository does not have its methods
		A found = method.getDeclaringClass().isAssignableFrom(type) ? find(method, type) : null;
		if (found == null && target != null && target.getClass() != type) {
			found = find(method, target.getClass());
		}
		if (found == null) {
			throw new IllegalStateException("No annotation found for " + method + " on " + type);
		}
		return found;
	}

	/** Return the advice of a method, or {@code null} if the method has no annotation. */
	public @Nullable A find(Method method, Class<?> targetClass) {
		MethodClassKey id = new MethodClassKey(method, targetClass);
		A known = this.parsed.get(id);
		D declaration = (known != null) ? null : this.finder.find(method, targetClass);
		if (declaration == null) {
			return known;
		}
		A advice = this.parser.apply(declaration, targetClass);
		this.parsed.put(id, advice);
		return advice;
	}

}
