package io.github.lockboot.annotation;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.advice.RepeatableCall;

/**
 * A {@link java.util.concurrent.CompletionStage}: the call is locked until it is
 * completed. The caller has a stage at once, while no thread waits for the lock.
 */
final class StageResult implements ResultKind {

	private final Executor executor;

	StageResult(Executor executor) {
		this.executor = executor;
	}

	@Override
	public @Nullable Object run(MethodInvocation call, Locking locking) throws Throwable {
		RepeatableCall repeatable = RepeatableCall.of(call);
		LockedInvocation invocation;
		try {
			invocation = locking.invocation(repeatable);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return (invocation != null) ? new StagedCall(invocation, this.executor).start() : call.proceed();
	}

}
