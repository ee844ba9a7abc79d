package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

import io.github.lockboot.cache.CacheOperations;

/**
 * Answers annotated methods from the cache, and tells it what they change. The cache is
 * looked up at the first call, so that making a proxy makes no connection.
 */
final class CacheInterceptor implements MethodInterceptor {

	private final CachedMethodSource methods;

	private final Supplier<CacheOperations> operations;

	private final Executor executor;

	CacheInterceptor(CachedMethodSource methods, Supplier<CacheOperations> operations, Executor executor) {
		this.methods = methods;
		this.operations = operations;
		this.executor = executor;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		CachedMethod method = method(invocation.getMethod(), invocation.getThis());
		return method.kind().run(new CachedCall(method, invocation, this.operations, this.executor));
	}

	private CachedMethod method(Method method, @Nullable Object target) {
		Class<?> targetClass = (target != null) ? targetClass(method, target) : method.getDeclaringClass();
		CachedMethod found = this.methods.find(method, targetClass);
		if (found == null) {
			throw new IllegalStateException("No annotation of the cache is found for " + method + " on " + targetClass);
		}
		return found;
	}

	/**
	 * Behind the proxy of a repository stands a class that knows nothing of its methods.
	 */
	private static Class<?> targetClass(Method method, Object target) {
		Class<?> found = AopUtils.getTargetClass(target);
		return method.getDeclaringClass().isAssignableFrom(found) ? found : target.getClass();
	}

}
