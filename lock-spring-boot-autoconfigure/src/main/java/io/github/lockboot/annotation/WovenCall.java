package io.github.lockboot.annotation;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.aspectj.lang.ProceedingJoinPoint;
import org.aspectj.lang.reflect.MethodSignature;
import org.jspecify.annotations.Nullable;

/**
 * A call that comes through AspectJ, as advice of Spring sees it.
 */
final class WovenCall implements MethodInvocation {

	private final ProceedingJoinPoint call;

	WovenCall(ProceedingJoinPoint call) {
		this.call = call;
	}

	@Override
	public @Nullable Object proceed() throws Throwable {
		return this.call.proceed();
	}

	@Override
	public Method getMethod() {
		return ((MethodSignature) this.call.getSignature()).getMethod();
	}

	@Override
	public @Nullable Object[] getArguments() {
		return this.call.getArgs();
	}

	@Override
	public @Nullable Object getThis() {
		return this.call.getTarget();
	}

	@Override
	public AccessibleObject getStaticPart() {
		return getMethod();
	}

}
