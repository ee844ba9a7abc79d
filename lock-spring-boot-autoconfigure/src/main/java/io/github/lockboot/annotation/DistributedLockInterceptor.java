package io.github.lockboot.annotation;

import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * Runs annotated methods under their locks: finds out what a call wants, and leaves it to
 * the {@link ResultKind} of the method.
 */
final class DistributedLockInterceptor implements MethodInterceptor {

	private final LockAttributesSource attributes;

	private final LockTemplates templates;

	private final SectionRunner sections;

	DistributedLockInterceptor(LockAttributesSource attributes, LockTemplates templates, SectionRunner sections) {
		this.attributes = attributes;
		this.templates = templates;
		this.sections = sections;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		LockAttributes found = attributes(invocation.getMethod(), invocation.getThis());
		return found.kind().run(invocation, new MethodLocking(found));
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

	/**
	 * How one method is locked.
	 */
	private final class MethodLocking implements ResultKind.Locking {

		private final LockAttributes attributes;

		MethodLocking(LockAttributes attributes) {
			this.attributes = attributes;
		}

		@Override
		public @Nullable Object runHere(MethodInvocation call) throws Throwable {
			LockedInvocation invocation = invocation(call);
			return (invocation != null) ? new LockedCall(invocation, DistributedLockInterceptor.this.sections).run()
					: call.proceed();
		}

		@Override
		public @Nullable LockedInvocation invocation(MethodInvocation call) {
			Object target = call.getThis();
			if (!this.attributes.isWanted(target, call.getArguments())) {
				return null;
			}
			LockRequest request = this.attributes.request(target, call.getArguments());
			LockOperations operations = DistributedLockInterceptor.this.templates.get(this.attributes.template());
			return new LockedInvocation(this.attributes, request, operations, call);
		}

	}

}
