package io.github.lockboot.cache.aspect;

import java.lang.reflect.Method;
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

	CacheInterceptor(CachedMethodSource methods, Supplier<CacheOperations> operations) {
		this.methods = methods;
		this.operations = operations;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		CachedMethod method = method(invocation.getMethod(), target);
		CacheRead read = method.read();
		Object result = (read != null) ? read(read, invocation) : invocation.proceed();
		for (CacheWrite write : method.writes()) {
			Call call = new Call(write.cacheName(), target, invocation.getArguments());
			if (call.holds(write.condition(), result)) {
				write.apply(this.operations.get(), call, result);
			}
		}
		return result;
	}

	private @Nullable Object read(CacheRead read, MethodInvocation invocation) throws Throwable {
		Call call = new Call(read.spec().name(), invocation.getThis(), invocation.getArguments());
		if (!call.holds(read.condition())) {
			return invocation.proceed();
		}
		return this.operations.get()
			.get(read.spec(), call.key(read.key()), new InvocationLoader(read, call, invocation));
	}

	private CachedMethod method(Method method, @Nullable Object target) {
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		CachedMethod found = this.methods.find(method, targetClass);
		if (found == null) {
			throw new IllegalStateException("No annotation of the cache is found for " + method + " on " + targetClass);
		}
		return found;
	}

}
