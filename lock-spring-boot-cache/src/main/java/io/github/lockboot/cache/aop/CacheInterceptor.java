package io.github.lockboot.cache.aop;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.AnnotatedMethodSource;
import io.github.lockboot.cache.CacheOperations;

/**
 * Answers annotated methods from the cache, and tells it what they change. The cache is
 * looked up at the first call, so that making a proxy makes no connection.
 */
final class CacheInterceptor implements MethodInterceptor {

	private final AnnotatedMethodSource<CacheDeclaration, CachedMethod> methods;

	private final Supplier<CacheOperations> operations;

	private final Executor executor;

	CacheInterceptor(AnnotatedMethodSource<CacheDeclaration, CachedMethod> methods,
			Supplier<CacheOperations> operations, Executor executor) {
		this.methods = methods;
		this.operations = operations;
		this.executor = executor;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		CachedMethod method = this.methods.get(invocation);
		return method.runner().run(new CachedCall(method, invocation, this.operations, this.executor));
	}

}
