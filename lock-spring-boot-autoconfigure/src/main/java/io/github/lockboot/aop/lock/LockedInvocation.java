package io.github.lockboot.aop.lock;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.aop.MethodBody;

/**
 * One call of an annotated method that needs its locks.
 *
 * @param method how the method is locked
 * @param request the locks of the call
 * @param operations acquires them
 * @param call the call
 * @param body runs the method
 */
record LockedInvocation(LockedMethod method, LockRequest request, LockOperations operations, MethodInvocation call,
		MethodBody body) {

	@Nullable Object proceed() throws Throwable {
		return this.body.proceed();
	}

	/** Answer the call, which did not acquire its locks. */
	@Nullable Object answer(LockNotAcquiredException reason) throws Throwable {
		return this.method.notAcquired().answer(this.call.getThis(), this.call.getArguments(), reason);
	}

}
