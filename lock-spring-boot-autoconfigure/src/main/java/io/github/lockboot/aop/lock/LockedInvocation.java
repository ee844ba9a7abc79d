package io.github.lockboot.aop.lock;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * One call of an annotated method that wants its locks.
 *
 * @param attributes how the method is locked
 * @param request its locks
 * @param operations what takes them
 * @param call the call
 */
record LockedInvocation(LockAttributes attributes, LockRequest request, LockOperations operations,
		MethodInvocation call) {

	@Nullable Object proceed() throws Throwable {
		return this.call.proceed();
	}

	/** Answer in the method's stead. */
	@Nullable Object refuse(LockNotAcquiredException reason) throws Throwable {
		return this.attributes.notAcquired().answer(this.call.getThis(), this.call.getArguments(), reason);
	}

}
