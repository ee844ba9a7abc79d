package io.github.lockboot.aop.lock;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.AtomicBoolean;

import org.aopalliance.intercept.MethodInvocation;
import reactor.core.publisher.Flux;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.OnLost;
import io.github.lockboot.ReactiveLockOperations;
import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.aop.ReactiveResult;

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

	Object run(MethodInvocation call, LockedMethod method) {
		MethodBody body = MethodBody.repeatable(call);
		return this.result.returned(Flux.defer(() -> {
			LockedInvocation invocation = this.calls.invocation(call, method, body);
			return (invocation != null) ? locked(invocation) : this.result.elements(body);
		}));
	}

	private Flux<Object> locked(LockedInvocation invocation) {
		AtomicBoolean begun = new AtomicBoolean();
		Flux<Object> section = Flux.defer(() -> {
			begun.set(true);
			return this.result.elements(invocation.body());
		});
		return ReactiveLockOperations.of(invocation.operations(), OnLost.LOG)
			.execute(invocation.request(), section)
			.onErrorResume(LockNotAcquiredException.class, (reason) -> begun.get() ? Flux.error(reason)
					: this.result.elements(() -> invocation.answer(reason)));
	}

}
