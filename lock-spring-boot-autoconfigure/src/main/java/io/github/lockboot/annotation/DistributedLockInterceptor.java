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
		Method method = invocation.getMethod();
		Class<?> targetClass = (target != null) ? AopUtils.getTargetClass(target) : method.getDeclaringClass();
		LockAttributes found = this.attributes.find(method, targetClass);
		if (found == null) {
			return invocation.proceed();
		}
		List<LockRequest> requests = found.requests(target, invocation.getArguments());
		return new LockedCall(this.operations.get(), requests, found.waitTime(), this.nanoTime)
			.run(invocation::proceed);
	}

}
