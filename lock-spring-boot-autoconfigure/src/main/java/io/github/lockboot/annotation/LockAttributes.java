package io.github.lockboot.annotation;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockKeyException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.OnLost;
import io.github.lockboot.expression.ConditionExpression;
import io.github.lockboot.expression.KeyExpression;
import io.github.lockboot.expression.KeyExpressionException;

/**
 * How the calls of one method are locked: its annotation, parsed and completed from the
 * properties.
 *
 * @param method description of the method, for messages
 * @param request the lock of a call without a key; with a key, what all its locks have in
 * common
 * @param key the key, or {@code null} if all calls share one lock
 * @param condition which calls want a lock, or {@code null} for all
 * @param refusal what a caller gets whose lock stays busy
 * @param template bean name of what takes the locks
 * @param kind how a call is run, as its result asks for
 */
record LockAttributes(String method, LockRequest request, @Nullable KeyExpression key,
		@Nullable ConditionExpression condition, Refusal refusal, String template, ResultKind kind) {

	OnLost onLost() {
		return Objects.requireNonNullElse(this.request.onLost(), OnLost.LOG);
	}

	boolean isWanted(@Nullable Object target, @Nullable Object[] arguments) {
		ConditionExpression condition = this.condition;
		return condition == null || evaluate("Condition", this.method, () -> condition.evaluate(target, arguments));
	}

	/**
	 * Return what to lock for one call: one lock, or all that its key names.
	 */
	LockRequest request(@Nullable Object target, @Nullable Object[] arguments) {
		KeyExpression key = this.key;
		if (key == null) {
			return this.request;
		}
		List<String> keys = evaluate("Key", this.method, () -> key.evaluate(target, arguments));
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
		catch (KeyExpressionException ex) {
			throw new LockKeyException(ex.expression(),
					kind + " '" + ex.expression() + "' of " + method + " " + ex.getMessage(), ex.getCause());
		}
	}

}
