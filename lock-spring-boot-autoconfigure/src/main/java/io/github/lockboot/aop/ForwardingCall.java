package io.github.lockboot.aop;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Method;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * A call that is made by another one.
 *
 * @since 1.0.0
 */
@Internal
public class ForwardingCall implements MethodInvocation {

	private final MethodInvocation call;

	protected ForwardingCall(MethodInvocation call) {
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
