package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * Runs annotated methods under their locks. The store is looked up at the first call, so
 * that making a proxy makes no connection.
 */
final class DistributedLockInterceptor implements MethodInterceptor {

	private final LockAttributesSource attributes;

	private final Supplier<LockOperations> operations;

	private final LongSupplier nanoTime;

	DistributedLockInterceptor(LockAttributesSource attributes, Supplier<LockOperations> operations,
			LongSupplier nanoTime) {
		this.attributes = attributes;
		this.operations = operations;
		this.nanoTime = nanoTime;
	}

	@Override
	@SuppressWarnings("NullAway") // a section may return null
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		LockAttributes found = attributes(invocation.getMethod(), target);
		List<LockRequest> requests = found.requests(target, invocation.getArguments());
		return new LockedCall(this.operations.get(), requests, found.waitTime(), this.nanoTime)
			.run(invocation::proceed);
	}

	/** Whoever is led here expects a lock, so that running without one is never right. */
	private LockAttributes attributes(Method method, @Nullable Object target) {
		Class<?> proxied = (target != null) ? target.getClass() : method.getDeclaringClass();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : proxied;
		LockAttributes found = this.attributes.find(method, targetClass);
		if (found == null && targetClass != proxied) {
			found = this.attributes.find(method, proxied);
		}
		if (found == null) {
			throw new IllegalStateException("No @DistributedLock is found for " + method + " on " + targetClass);
		}
		return found;
	}

}
