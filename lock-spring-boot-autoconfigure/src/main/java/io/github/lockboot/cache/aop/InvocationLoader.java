package io.github.lockboot.cache.aop;

import java.time.Duration;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.RepeatableCall;
import io.github.lockboot.cache.CacheLoader;

/**
 * Runs the method itself to get a value.
 */
final class InvocationLoader implements CacheLoader<@Nullable Object, Throwable> {

	private final CacheRead read;

	private final Call call;

	private final MethodInvocation invocation;

	private final Body body;

	InvocationLoader(CacheRead read, Call call, MethodInvocation invocation) {
		this(read, call, invocation, invocation::proceed);
	}

	private InvocationLoader(CacheRead read, Call call, MethodInvocation invocation, Body body) {
		this.read = read;
		this.call = call;
		this.invocation = invocation;
		this.body = body;
	}

	@Override
	@SuppressWarnings("NullAway") // a method may return null
	public @Nullable Object load() throws Throwable {
		return this.body.proceed();
	}

	@Override
	public boolean isStorable(@Nullable Object value) {
		return this.read.isKept(this.call, value);
	}

	@Override
	public @Nullable Duration ttlOf(@Nullable Object value) {
		return this.read.ttl(this.call, value);
	}

	@Override
	public CacheLoader<@Nullable Object, Throwable> inBackground() {
		RepeatableCall repeatable = RepeatableCall.of(this.invocation);
		return new InvocationLoader(this.read, this.call, this.invocation, repeatable::proceed);
	}

	/** Runs the method. */
	private interface Body {

		@Nullable Object proceed() throws Throwable;

	}

}
