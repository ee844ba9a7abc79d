package io.github.lockboot.aop;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

import io.github.lockboot.Internal;

/**
 * The work of one call: the method, with all advice inside the advice of this library.
 */
@Internal
@FunctionalInterface
public interface MethodBody {

	/**
	 * Run the method.
	 * @throws Throwable what the method throws
	 */
	@Nullable Object proceed() throws Throwable;

	/**
	 * Return a function that runs a method any number of times, on any thread, even after
	 * the call has returned. Each run passes through all advice inside the advice of this
	 * library.
	 */
	static MethodBody repeatable(MethodInvocation call) {
		if (!(call instanceof ProxyMethodInvocation proxied)) {
			return call::proceed;
		}
		ProxyMethodInvocation kept = (ProxyMethodInvocation) proxied.invocableClone();
		// AspectJ-style advice looks up its call in the thread
		return () -> ExposeInvocationInterceptor.INSTANCE.invoke(kept.invocableClone());
	}

}
