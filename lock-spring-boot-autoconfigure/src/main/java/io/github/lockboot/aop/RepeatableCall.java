package io.github.lockboot.aop;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

import io.github.lockboot.Internal;

/**
 * A call that can be made at any time after the method has been called, by any thread and
 * any number of times: each time with all advice that stands behind ours.
 *
 * @since 1.0.0
 */
@Internal
public final class RepeatableCall extends ForwardingCall {

	private final MethodInvocation call;

	private RepeatableCall(MethodInvocation call) {
		super(call);
		this.call = call;
	}

	/** Keep a call as it is now. */
	public static RepeatableCall of(MethodInvocation call) {
		return new RepeatableCall((call instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : call);
	}

	/** Advice of AspectJ style looks for its call in the thread. */
	@Override
	public @Nullable Object proceed() throws Throwable {
		return (this.call instanceof ProxyMethodInvocation proxied)
				? ExposeInvocationInterceptor.INSTANCE.invoke(proxied.invocableClone()) : this.call.proceed();
	}

}
