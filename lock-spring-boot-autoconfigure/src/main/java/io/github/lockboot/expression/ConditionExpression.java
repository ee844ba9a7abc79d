package io.github.lockboot.expression;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * A condition of a method, parsed and ready. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class ConditionExpression {

	private final CallExpression expression;

	ConditionExpression(CallExpression expression) {
		this.expression = expression;
	}

	/**
	 * Return the condition as it is written.
	 * @return the expression
	 */
	public String text() {
		return this.expression.text();
	}

	/**
	 * Evaluate the condition before a call.
	 * @param target what the method is called on
	 * @param arguments its arguments
	 * @return whether it holds
	 * @throws KeyExpressionException if the evaluation fails or gives neither true nor
	 * false
	 */
	public boolean evaluate(@Nullable Object target, @Nullable Object[] arguments) {
		return holds(this.expression.evaluate(target, arguments));
	}

	/**
	 * Evaluate the condition after a call.
	 * @param target what the method was called on
	 * @param arguments its arguments
	 * @param result what it has returned
	 * @return whether it holds
	 * @throws KeyExpressionException if the evaluation fails or gives neither true nor
	 * false
	 */
	public boolean evaluate(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		return holds(this.expression.evaluate(target, arguments, result));
	}

	private boolean holds(@Nullable Object value) {
		if (value instanceof Boolean holds) {
			return holds;
		}
		throw new KeyExpressionException(text(), "gives " + describe(value) + ", not a boolean", null);
	}

	private static String describe(@Nullable Object value) {
		return (value != null) ? "the " + value.getClass().getSimpleName() + " '" + value + "'" : "null";
	}

}
