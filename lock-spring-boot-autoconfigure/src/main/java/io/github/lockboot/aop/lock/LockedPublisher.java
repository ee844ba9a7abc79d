package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;

import org.aopalliance.intercept.MethodInvocation;
import reactor.core.publisher.Flux;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.aop.ReactiveResult;
import io.github.lockboot.aop.RepeatableCall;

/**
 * Runs a method that returns a publisher, or a suspend function: each subscription is a
 * call, locked until it completes, fails or is cancelled. Loaded only where Reactor is
 * present.
 */
final class LockedPublisher {

	private final ReactiveResult result;

	private final LockedCalls calls;

	LockedPublisher(Method method, LockedCalls calls) {
		this.result = ReactiveResult.of(method);
		this.calls = calls;
	}

	Object run(MethodInvocation call, LockAttributes attributes) {
		RepeatableCall repeatable = RepeatableCall.of(call);
		return this.result.returned(Flux.defer(() -> locked(repeatable, attributes)));
	}

	private Flux<Object> locked(MethodInvocation call, LockAttributes attributes) {
		LockedInvocation invocation = this.calls.invocation(call, attributes);
		if (invocation == null) {
			return this.result.elements(call::proceed);
		}
		AtomicBoolean begun = new AtomicBoolean();
		Flux<Object> section = Flux.defer(() -> {
			begun.set(true);
			return this.result.elements(invocation::proceed);
		});
		return ReactiveLockOperations.of(invocation.operations(), OnLost.LOG)
			.execute(invocation.request(), section)
			.onErrorResume(LockNotAcquiredException.class, (reason) -> begun.get() ? Flux.error(reason)
					: this.result.elements(() -> invocation.refuse(reason)));
	}

}
