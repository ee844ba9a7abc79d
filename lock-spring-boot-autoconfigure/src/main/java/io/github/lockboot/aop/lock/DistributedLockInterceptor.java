package io.github.lockboot.aop.lock;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.AnnotatedMethodSource;

/**
 * Runs annotated methods under their locks.
 */
final class DistributedLockInterceptor implements MethodInterceptor {

	private final AnnotatedMethodSource<LockDeclaration, LockAttributes> methods;

	DistributedLockInterceptor(AnnotatedMethodSource<LockDeclaration, LockAttributes> methods) {
		this.methods = methods;
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		LockAttributes found = this.methods.get(invocation);
		return found.runner().run(invocation, found);
	}

}
