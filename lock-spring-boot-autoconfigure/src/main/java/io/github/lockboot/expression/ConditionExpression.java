package io.github.lockboot.expression;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;

import io.github.lockboot.Internal;

/**
 * A condition of a method, parsed and ready. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class ConditionExpression {

	private final String text;

	private final Expression expression;

	private final MethodScope scope;

	ConditionExpression(String text, Expression expression, MethodScope scope) {
		this.text = text;
		this.expression = expression;
		this.scope = scope;
	}

	/**
	 * Return the condition as it is written.
	 * @return the expression
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Evaluate the condition for one call.
	 * @param target what the method is called on
	 * @param arguments its arguments
	 * @return whether it holds
	 * @throws KeyExpressionException if the evaluation fails or gives neither true nor
	 * false
	 */
	public boolean evaluate(@Nullable Object target, @Nullable Object[] arguments) {
		Object value;
		try {
			value = this.expression.getValue(this.scope.call(target, arguments));
		}
		catch (RuntimeException ex) {
			throw new KeyExpressionException(this.text, "can't be evaluated: " + ex.getMessage(), ex);
		}
		if (value instanceof Boolean holds) {
			return holds;
		}
		throw new KeyExpressionException(this.text, "is neither true nor false but " + value, null);
	}

}
