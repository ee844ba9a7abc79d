package io.github.lockboot.aop.lock;

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
 * call, which is locked until the subscription completes, fails or is cancelled. Loaded
 * only where Reactor is present.
 */
record LockedPublisher(ReactiveResult result) {

	Object run(LockedMethod method, MethodInvocation call) {
		MethodBody body = MethodBody.repeatable(call);
		return this.result.returned(Flux.defer(() -> {
			LockedMethod.LockedCall locked = method.locked(call, body);
			return (locked != null) ? run(locked) : this.result.elements(body);
		}));
	}

	private Flux<Object> run(LockedMethod.LockedCall locked) {
		AtomicBoolean begun = new AtomicBoolean();
		Flux<Object> section = Flux.defer(() -> {
			begun.set(true);
			return this.result.elements(locked.body());
		});
		return ReactiveLockOperations.of(locked.operations(), OnLost.LOG)
			.execute(locked.request(), section)
			.onErrorResume(LockNotAcquiredException.class,
					(reason) -> begun.get() ? Flux.error(reason) : this.result.elements(() -> locked.answer(reason)));
	}

}
