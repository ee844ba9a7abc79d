package io.github.lockboot.annotation;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A call that is made by another one.
 */
class ForwardingCall implements MethodInvocation {

	private final MethodInvocation call;

	ForwardingCall(MethodInvocation call) {
		this.call = call;
	}

	@Override
	public @Nullable Object proceed() throws Throwable {
		return this.call.proceed();
	}

	@Override
	public Method getMethod() {
		return this.call.getMethod();
	}

	@Override
	public @Nullable Object[] getArguments() {
		return this.call.getArguments();
	}

	@Override
	public @Nullable Object getThis() {
		return this.call.getThis();
	}

	@Override
	public AccessibleObject getStaticPart() {
		return this.call.getStaticPart();
	}

}
