package io.github.lockboot.annotation;

import java.lang.reflect.Method;
import java.util.function.LongSupplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/**
 * Runs annotated methods under their locks: finds out what a call wants, and leaves it to
 * a {@link LockedCall}.
 */
final class DistributedLockInterceptor implements MethodInterceptor {

	private final LockAttributesSource attributes;

	private final LockTemplates templates;

	private final LongSupplier nanoTime;

	DistributedLockInterceptor(LockAttributesSource attributes, LockTemplates templates, LongSupplier nanoTime) {
		this.attributes = attributes;
		this.templates = templates;
		this.nanoTime = nanoTime;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		LockAttributes found = attributes(invocation.getMethod(), target);
		if (!found.isWanted(target, invocation.getArguments())) {
			return invocation.proceed();
		}
		LockedInvocation call = new LockedInvocation(found, found.requests(target, invocation.getArguments()),
				this.templates.get(found.template()), invocation);
		return new LockedCall(call, this.nanoTime).run();
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
