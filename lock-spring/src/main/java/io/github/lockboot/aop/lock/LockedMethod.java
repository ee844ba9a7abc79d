package io.github.lockboot.aop.lock;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.Assert;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockKeyException;
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
import io.github.lockboot.expression.MethodExpression;
import io.github.lockboot.expression.MethodExpressionException;

/**
 * How the calls of one method are locked: its annotation, parsed, with the properties as
 * defaults. A call runs while its locks are held: until the method returns, or until its
 * result shows that the work is done.
 *
 * @param description description of the method, for messages
 * @param request the lock of a call without a key; with a key, the common part of the
 * requests of all locks
 * @param key the key, or {@code null} if all calls share one lock
 * @param permits the permits of a call of a semaphore, or {@code null} if those of the
 * request apply
 * @param condition which calls need a lock, or {@code null} for all
 * @param notAcquired answers a call that did not acquire its lock
 * @param template bean name of the template that acquires the locks
 * @param known the template, empty before the first call
 * @param transactions {@code null} without Spring's transactions
 * @param runner runs the calls, depending on the kind of their results
 */
record LockedMethod(String description, LockRequest request, @Nullable MethodExpression key,
		@Nullable ToIntFunction<MethodInvocation> permits, @Nullable MethodExpression condition,
		NotAcquiredHandler notAcquired, TemplateLookup templates, String template,
		AtomicReference<@Nullable LockOperations> known, @Nullable TransactionalSections transactions,
		Runner runner) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation call) throws Throwable {
		return this.runner.run(this, call);
	}

	OnLost onLost() {
		return Objects.requireNonNullElse(this.request.onLost(), OnLost.LOG);
	}

	boolean needsLock(MethodInvocation call) {
		MethodExpression condition = this.condition;
		return condition == null || evaluate("Condition", this.description,
				() -> condition.holds(call.getThis(), call.getArguments(), null));
	}

	/**
	 * Return the request of one call: for one lock, or for all locks that the key names.
	 */
	LockRequest request(MethodInvocation call) {
		MethodExpression key = this.key;
		LockRequest request = (this.permits != null) ? this.request.permits(this.permits.applyAsInt(call))
				: this.request;
		if (key == null) {
			return request;
		}
		List<String> keys = evaluate("Key", this.description, () -> key.keys(call.getThis(), call.getArguments()));
		String prefix = request.name() + ":";
		try {
			return (keys.size() == 1) ? request.name(prefix + keys.get(0))
					: request.names(keys.stream().map(prefix::concat).toList());
		}
		catch (IllegalArgumentException ex) {
			throw new LockKeyException(key.text(), "Key '" + key.text() + "' of " + this.description
					+ " does not give the name of a lock: " + ex.getMessage(), ex);
		}
	}

	/** Evaluate an expression. A failure never means "no lock". */
	static <T extends @Nullable Object> T evaluate(String kind, String method, Supplier<T> expression) {
		try {
			return expression.get();
		}
		catch (MethodExpressionException ex) {
			throw new LockKeyException(ex.expression(),
					kind + " '" + ex.expression() + "' of " + method + " " + ex.getMessage(), ex.getCause());
		}
	}

	// ---- how the calls are run

	/** Return how the calls of a method are run; its result must show their end. */
	static Runner runner(Method method, Class<?> userClass, LockRequest request, Executor executor) {
		return switch (ResultKind.of(method, userClass, "it ")) {
			case PLAIN -> {
				boolean open = ReturnedWork.isOpen(method, userClass);
				yield (locked, call) -> locked.run(call, open ? () -> locked.checked(call) : call::proceed);
			}
			case CALLBACK -> {
				ResultEnd end = ResultEnd.of(method, userClass);
				check(ResultKind.resultOf(method, userClass).toClass(), request);
				yield (locked, call) -> locked.runUntil(end, call);
			}
			case REACTIVE -> new LockedPublisher(ReactiveResult.of(method, userClass))::run;
			case STAGE -> isAsync(method, userClass) ? LockedMethod::runInPool
					: (locked, call) -> locked.runStaged(call, executor);
			case FUTURE -> {
				if (!isAsync(method, userClass)) {
					throw ResultKind.unsupported(ResultKind.resultOf(method, userClass).toClass(), "it ",
							"return a CompletableFuture, or put @Async on the method");
				}
				yield LockedMethod::runInPool;
			}
		};
	}

	/** Return how the calls of a method are run that is run again after skipped calls. */
	static Runner runnerAgain(Method method, Class<?> userClass, RerunMethod rerun) {
		Assert.isTrue(!isAsync(method, userClass), "it is @Async, so that a run that begins later would not have its"
				+ " lock: put @Async on a method of another bean, which calls this one");
		return (locked, call) -> {
			LockRequest request = locked.request(call).waitTime(Duration.ZERO);
			LockOperations operations = locked.operations();
			RerunRecord record = rerun.record(operations, request);
			boolean[] begun = new boolean[1];
			try {
				return locked.run(new LockedCall(locked, request, operations, call, () -> {
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
	private static void check(Class<?> type, LockRequest request) {
		Assert.isTrue(request.onLost() == null || request.onLost() == OnLost.LOG, () -> "it returns a "
				+ type.getSimpleName() + ", whose work may go on when the lock is lost: set onLost = LOG");
		Assert.isTrue(request.maxHoldTime() != null || !ResultEnd.isStream(type),
				() -> "it returns a " + type.getSimpleName()
						+ ", which keeps the lock until it is closed: set maxHoldTime, after which a"
						+ " stream that stays open loses the lock");
	}

	/** Return how the calls of a method are run if its transaction holds the lock. */
	static Runner runnerInTransaction(Method method, Class<?> userClass) {
		Assert.isTrue(ResultKind.of(method, userClass, "it ") == ResultKind.PLAIN,
				() -> "its scope is TRANSACTION, and it returns a "
						+ ResultKind.resultOf(method, userClass).toClass().getSimpleName()
						+ ", whose work may not be done when the transaction has ended: return the result itself");
		boolean open = ReturnedWork.isOpen(method, userClass);
		return (locked, call) -> locked.runInTransaction(call, open);
	}

	private static boolean isAsync(AnnotatedElement method, AnnotatedElement type) {
		return AnnotatedElementUtils.hasAnnotation(method, Async.class)
				|| AnnotatedElementUtils.hasAnnotation(type, Async.class);
	}

	// ---- calls

	private @Nullable Object checked(MethodInvocation call) throws Throwable {
		Object result = call.proceed();
		ReturnedWork.check(result, this.description);
		return result;
	}

	private @Nullable Object runInTransaction(MethodInvocation call, boolean open) throws Throwable {
		if (needsLock(call)) {
			LockRequest request = request(call);
			try {
				this.templates.transactionLocks().acquire(request);
			}
			catch (LockNotAcquiredException ex) {
				return this.notAcquired.answer(call, ex);
			}
		}
		return open ? checked(call) : call.proceed();
	}

	/** Run a call on the current thread, which waits for the locks. */
	private @Nullable Object run(MethodInvocation call, MethodBody body) throws Throwable {
		LockedCall locked = locked(call, body);
		return (locked != null) ? run(locked, this.notAcquired) : body.proceed();
	}

	/**
	 * Run a call that needs its locks on the current thread.
	 * @param busy answers the call if its locks are not acquired
	 */
	@SuppressWarnings("NullAway") // a method may return null
	private @Nullable Object run(LockedCall locked, NotAcquiredHandler busy) throws Throwable {
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
	private @Nullable Object runUntil(ResultEnd end, MethodInvocation call) throws Throwable {
		LockedCall locked = locked(call, call::proceed);
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
	private @Nullable Object runInPool(MethodInvocation call) throws Throwable {
		return run(call, () -> {
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
	private @Nullable Object runStaged(MethodInvocation call, Executor executor) throws Throwable {
		LockedCall locked;
		try {
			locked = locked(call, MethodBody.repeatable(call));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
		return (locked != null) ? new StagedCall(locked, executor).start() : call.proceed();
	}

	/** Return the call with its locks, or {@code null} if the call needs none. */
	@Nullable LockedCall locked(MethodInvocation call, MethodBody body) {
		return needsLock(call) ? new LockedCall(this, request(call), operations(), call, body) : null;
	}

	/**
	 * Look up the template without a mutex, because other threads may create beans
	 * meanwhile.
	 */
	private LockOperations operations() {
		LockOperations operations = this.known.get();
		if (operations == null) {
			operations = this.templates.get(this.template);
			this.known.set(operations);
		}
		return operations;
	}

	/**
	 * Runs the calls of one method. Thread-safe.
	 */
	@FunctionalInterface
	interface Runner {

		@Nullable Object run(LockedMethod method, MethodInvocation call) throws Throwable;

	}

	/**
	 * One call that needs its locks.
	 */
	record LockedCall(LockedMethod method, LockRequest request, LockOperations operations, MethodInvocation invocation,
			MethodBody body) {

		/** Answer the call that did not acquire its locks. */
		@Nullable Object answer(LockNotAcquiredException reason) throws Throwable {
			return this.method.notAcquired.answer(this.invocation, reason);
		}

	}

}
