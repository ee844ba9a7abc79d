package io.github.lockboot.aop.lock;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.Assert;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.aop.ReactiveResult;
import io.github.lockboot.aop.ResultEnd;
import io.github.lockboot.aop.ResultKind;
import io.github.lockboot.aop.ReturnedWork;
import io.github.lockboot.concurrent.FutureWait;

/**
 * Runs calls while their locks are held: until the method returns, or until its result
 * shows that the work is done.
 *
 * @param transactions {@code null} without Spring's transactions
 * @param executor where the callers of a stage continue
 */
record LockedCalls(LockTemplates templates, @Nullable TransactionalSections transactions, Executor executor) {

	/** Return how the calls of a method are run; its result must show their end. */
	LockedMethod.Runner of(Method method, Class<?> userClass, LockRequest request) {
		return switch (ResultKind.of(method, "it ")) {
			case PLAIN -> {
				boolean open = ReturnedWork.isOpen(method);
				yield (call, locked) -> run(call, locked, open ? () -> checked(call, locked) : call::proceed);
			}
			case CALLBACK -> {
				ResultEnd end = ResultEnd.of(method);
				check(method, request);
				yield (call, locked) -> runUntil(end, call, locked);
			}
			case REACTIVE -> new LockedPublisher(ReactiveResult.of(method), this)::run;
			case STAGE -> isAsync(method, userClass) ? this::runInPool : this::runStaged;
			case FUTURE -> {
				if (!isAsync(method, userClass)) {
					throw ResultKind.unsupported(method.getReturnType(), "it ",
							"return a CompletableFuture, or put @Async on the method");
				}
				yield this::runInPool;
			}
		};
	}

	/** Return how the calls of a method are run that is run again after skipped calls. */
	LockedMethod.Runner again(Method method, Class<?> userClass, RerunMethod rerun) {
		Assert.isTrue(!isAsync(method, userClass), "it is @Async, so that a run that begins later would not have its"
				+ " lock: put @Async on a method of another bean, which calls this one");
		return (call, locked) -> {
			LockRequest request = locked.request(call).waitTime(Duration.ZERO);
			LockOperations operations = operations(locked);
			RerunRecord record = rerun.record(operations, request);
			boolean[] begun = new boolean[1];
			try {
				return run(new LockedMethod.LockedCall(locked, request, operations, call, () -> {
					record.begin();
					begun[0] = true;
					return call.proceed();
				}), (skipped, reason) -> rerun.skip(record, request, call));
			}
			finally {
				if (begun[0]) {
					rerun.ended(record, request, call);
				}
			}
		};
	}

	/** Check that a lock that is held after the method suits its result. */
	private static void check(Method method, LockRequest request) {
		Class<?> type = method.getReturnType();
		Assert.isTrue(request.onLost() == null || request.onLost() == OnLost.LOG, () -> "it returns a "
				+ type.getSimpleName() + ", whose work may go on when the lock is lost: set onLost = LOG");
		Assert.isTrue(request.maxHoldTime() != null || !ResultEnd.isStream(type),
				() -> "it returns a " + type.getSimpleName()
						+ ", which keeps the lock until it is closed: set maxHoldTime, after which a"
						+ " stream that stays open loses the lock");
	}

	/** Return how the calls of a method are run if its transaction holds the lock. */
	LockedMethod.Runner ofTransaction(Method method) {
		Assert.isTrue(ResultKind.of(method, "it ") == ResultKind.PLAIN,
				() -> "its scope is TRANSACTION, and it returns a " + method.getReturnType().getSimpleName()
						+ ", whose work may not be done when the transaction has ended: return the result itself");
		boolean open = ReturnedWork.isOpen(method);
		return (call, locked) -> runInTransaction(call, locked, open);
	}

	private static @Nullable Object checked(MethodInvocation call, LockedMethod method) throws Throwable {
		Object result = call.proceed();
		ReturnedWork.check(result, method.description());
		return result;
	}

	private @Nullable Object runInTransaction(MethodInvocation call, LockedMethod method, boolean open)
			throws Throwable {
		if (method.needsLock(call)) {
			LockRequest request = method.request(call);
			try {
				this.templates.transactionLocks().acquire(request);
			}
			catch (LockNotAcquiredException ex) {
				return method.notAcquired().answer(call, ex);
			}
		}
		return open ? checked(call, method) : call.proceed();
	}

	private static boolean isAsync(AnnotatedElement method, AnnotatedElement type) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(type, Async.class);
	}

	/** Run a call on the current thread, which waits for the locks. */
	private @Nullable Object run(MethodInvocation call, LockedMethod method, MethodBody body) throws Throwable {
		LockedMethod.LockedCall locked = locked(call, method, body);
		return (locked != null) ? run(locked, method.notAcquired()) : body.proceed();
	}

	/**
	 * Run a call that needs its locks on the current thread.
	 * @param busy answers the call if its locks are not acquired
	 */
	@SuppressWarnings("NullAway") // a method may return null
	@Nullable Object run(LockedMethod.LockedCall locked, NotAcquiredHandler busy) throws Throwable {
		boolean[] begun = new boolean[1];
		try {
			return locked.operations().<@Nullable Object, Throwable>execute(locked.request(), () -> {
				begun[0] = true;
				return (this.transactions != null) ? this.transactions.run(locked) : locked.body().proceed();
			});
		}
		catch (LockNotAcquiredException ex) {
			if (begun[0]) {
				throw ex; // the exception is from another lock, inside the method
			}
			return busy.answer(locked.invocation(), ex);
		}
	}

	/** Run a call whose lock no thread owns, until its result shows the end. */
	private @Nullable Object runUntil(ResultEnd end, MethodInvocation call, LockedMethod method) throws Throwable {
		LockedMethod.LockedCall locked = locked(call, method, call::proceed);
		if (locked == null) {
			return call.proceed();
		}
		LockHandle lock;
		try {
			lock = locked.operations().acquire(locked.request());
		}
		catch (LockNotAcquiredException ex) {
			return locked.answer(ex);
		}
		return end.run(call::proceed, lock::closeAsync);
	}

	/**
	 * Run a call on a thread of the pool, which waits for the future anyway and so can
	 * hold the lock until then.
	 */
	private @Nullable Object runInPool(MethodInvocation call, LockedMethod method) throws Throwable {
		return run(call, method, () -> {
			Object result = call.proceed();
			if (result instanceof Future<?> future) {
				await(future);
			}
			return result;
		});
	}

	/** Wait for a future, which itself shows how it ended. */
	private static void await(Future<?> future) throws InterruptedException {
		try {
			if (future instanceof CompletableFuture<?> completable) {
				FutureWait.get(completable);
			}
			else {
				future.get();
			}
		}
		catch (ExecutionException | CancellationException ex) {
			return;
		}
		catch (InterruptedException ex) {
			future.cancel(true);
			throw ex;
		}
	}

	/** Run a call whose caller receives a stage at once. No thread waits for the lock. */
	private @Nullable Object runStaged(MethodInvocation call, LockedMethod method) throws Throwable {
		LockedMethod.LockedCall locked;
		try {
			locked = locked(call, method, MethodBody.repeatable(call));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return (locked != null) ? new StagedCall(locked, this.executor).start() : call.proceed();
	}

	/** Return the call with its locks, or {@code null} if the call needs none. */
	LockedMethod.@Nullable LockedCall locked(MethodInvocation call, LockedMethod method, MethodBody body) {
		return method.needsLock(call)
				? new LockedMethod.LockedCall(method, method.request(call), operations(method), call, body) : null;
	}

	/**
	 * Look up the template without a mutex, because other threads may create beans
	 * meanwhile.
	 */
	LockOperations operations(LockedMethod method) {
		LockOperations operations = method.operations().get();
		if (operations == null) {
			operations = this.templates.get(method.template());
			method.operations().set(operations);
		}
		return operations;
	}

}
