package io.github.lockboot.aop.lock;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.aop.ForwardingCall;
import io.github.lockboot.aop.RepeatableCall;
import io.github.lockboot.aop.ResultKind;

/**
 * Runs calls under their locks: until the method returns, or until its result tells that
 * the work is done.
 */
final class LockedCalls {

	private final LockTemplates templates;

	private final SectionRunner sections;

	private final Executor executor;

	/**
	 * Create a runner.
	 * @param executor where the callers of a stage continue
	 */
	LockedCalls(LockTemplates templates, SectionRunner sections, Executor executor) {
		this.templates = templates;
		this.sections = sections;
		this.executor = executor;
	}

	/**
	 * Return how the calls of a method are run.
	 * @throws IllegalArgumentException if its result doesn't tell when the work is done
	 */
	LockAttributes.Runner of(Method method, Class<?> userClass) {
		return switch (ResultKind.of(method, "it ")) {
			case PLAIN -> this::run;
			case REACTIVE -> new LockedPublisher(method, this)::run;
			case STAGE -> isAsync(method, userClass) ? this::runPooled : this::runStaged;
			case FUTURE -> {
				if (!isAsync(method, userClass)) {
					throw ResultKind.unsupported(method.getReturnType(), "it ",
							"return a CompletableFuture, or put @Async on the method");
				}
				yield this::runPooled;
			}
		};
	}

	private static boolean isAsync(AnnotatedElement method, AnnotatedElement type) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(type, Async.class);
	}

	/** The present thread waits for the locks. Without all of them, it holds none. */
	@SuppressWarnings("NullAway") // a section may return null
	private @Nullable Object run(MethodInvocation call, LockAttributes attributes) throws Throwable {
		LockedInvocation invocation = invocation(call, attributes);
		if (invocation == null) {
			return call.proceed();
		}
		boolean[] begun = new boolean[1];
		try {
			return invocation.operations().<@Nullable Object, Throwable>execute(invocation.request(), () -> {
				begun[0] = true;
				return this.sections.run(invocation);
			});
		}
		catch (LockNotAcquiredException ex) {
			if (begun[0]) {
				throw ex; // of another lock, inside the method
			}
			return invocation.refuse(ex);
		}
	}

	/**
	 * The thread of a pool waits for the future anyway, and may hold the lock until then.
	 */
	private @Nullable Object runPooled(MethodInvocation call, LockAttributes attributes) throws Throwable {
		return run(new AwaitedCall(call), attributes);
	}

	/** The caller gets a stage at once; no thread waits for the lock. */
	private @Nullable Object runStaged(MethodInvocation call, LockAttributes attributes) throws Throwable {
		LockedInvocation invocation;
		try {
			invocation = invocation(RepeatableCall.of(call), attributes);
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return (invocation != null) ? new StagedCall(invocation, this.executor).start() : call.proceed();
	}

	/** Find out what a call is to be locked with. */
	@Nullable LockedInvocation invocation(MethodInvocation call, LockAttributes attributes) {
		Object target = call.getThis();
		if (!attributes.isWanted(target, call.getArguments())) {
			return null;
		}
		LockRequest request = attributes.request(target, call.getArguments());
		LockOperations operations = this.templates.get(attributes.template());
		return new LockedInvocation(attributes, request, operations, call);
	}

	private static final class AwaitedCall extends ForwardingCall {

		AwaitedCall(MethodInvocation call) {
			super(call);
		}

		@Override
		public @Nullable Object proceed() throws Throwable {
			Object result = super.proceed();
			if (result instanceof Future<?> future) {
				await(future);
			}
			return result;
		}

		/** The future itself tells how it ended. */
		private static void await(Future<?> future) throws InterruptedException {
			try {
				future.get();
			}
			catch (ExecutionException | CancellationException ex) {
				return;
			}
			catch (InterruptedException ex) {
				future.cancel(true);
				throw ex;
			}
		}

	}

}
