package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.expression.MethodExpression;
import io.github.lockboot.expression.MethodExpressionException;

/**
 * How the calls of one method are locked: its annotation, parsed, with the properties as
 * defaults.
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
 * @param operations the template, empty before the first call
 * @param runner runs the calls, depending on the kind of their results
 */
record LockedMethod(String description, LockRequest request, @Nullable MethodExpression key,
		@Nullable ToIntFunction<MethodInvocation> permits, @Nullable MethodExpression condition,
		NotAcquiredHandler notAcquired, String template, AtomicReference<@Nullable LockOperations> operations,
		Runner runner) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation call) throws Throwable {
		return this.runner.run(call, this);
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

	/**
	 * Runs the calls of one method. Thread-safe.
	 */
	@FunctionalInterface
	interface Runner {

		@Nullable Object run(MethodInvocation call, LockedMethod method) throws Throwable;

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
