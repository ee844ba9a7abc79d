package io.github.lockboot.aop.lock;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.expression.MethodExpression;
import io.github.lockboot.expression.MethodExpressionException;

/**
 * How the calls of one method are locked: its annotation, parsed and completed from the
 * properties.
 *
 * @param method description of the method, for messages
 * @param request the lock of a call without a key; with a key, what all its locks have in
 * common
 * @param key the key, or {@code null} if all calls share one lock
 * @param condition which calls want a lock, or {@code null} for all
 * @param notAcquired answers a call whose lock was not acquired
 * @param template bean name of what takes the locks
 * @param runner runs the calls, as their results ask for
 */
record LockAttributes(String method, LockRequest request, @Nullable MethodExpression key,
		@Nullable MethodExpression condition, NotAcquiredHandler notAcquired, String template, Runner runner) {

	OnLost onLost() {
		return Objects.requireNonNullElse(this.request.onLost(), OnLost.LOG);
	}

	boolean isWanted(@Nullable Object target, @Nullable Object[] arguments) {
		MethodExpression condition = this.condition;
		return condition == null || evaluate("Condition", this.method, () -> condition.holds(target, arguments));
	}

	/** Return what to lock for one call: one lock, or all that its key names. */
	LockRequest request(@Nullable Object target, @Nullable Object[] arguments) {
		MethodExpression key = this.key;
		if (key == null) {
			return this.request;
		}
		List<String> keys = evaluate("Key", this.method, () -> key.keys(target, arguments));
		String prefix = this.request.name() + ":";
		try {
			return (keys.size() == 1) ? this.request.name(prefix + keys.get(0))
					: this.request.names(keys.stream().map(prefix::concat).toList());
		}
		catch (IllegalArgumentException ex) {
			throw new LockKeyException(key.text(),
					"Key '" + key.text() + "' of " + this.method + " gives no name of a lock: " + ex.getMessage(), ex);
		}
	}

	/** An expression that fails never means "no lock". */
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

		/** Run one call under its locks, or begin to. */
		@Nullable Object run(MethodInvocation call, LockAttributes attributes) throws Throwable;

	}

}
