package io.github.lockboot.cache.aspect;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * A call that can be made after the method has been called, by any thread and any number
 * of times: each time with all advice that stands behind ours.
 */
final class RepeatableCall {

	private final MethodInvocation call;

	private RepeatableCall(MethodInvocation call) {
		this.call = call;
	}

	/** Keep a call as it is now. */
	static RepeatableCall of(MethodInvocation call) {
		return new RepeatableCall((call instanceof ProxyMethodInvocation proxied) ? proxied.invocableClone() : call);
	}

	/** Advice of AspectJ style looks for its call in the thread. */
	@Nullable Object proceed() throws Throwable {
		return (this.call instanceof ProxyMethodInvocation proxied)
				? ExposeInvocationInterceptor.INSTANCE.invoke(proxied.invocableClone()) : this.call.proceed();
	}

}
