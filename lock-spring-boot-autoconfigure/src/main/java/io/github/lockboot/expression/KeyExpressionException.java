package io.github.lockboot.expression;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * A key or a condition that can't be parsed, can't be evaluated, or evaluates to nothing
 * of use.
 *
 * @since 1.0.0
 */
@Internal
@SuppressWarnings("serial")
public class KeyExpressionException extends RuntimeException {

	private final String expression;

	KeyExpressionException(String expression, String reason, @Nullable Throwable cause) {
		super(reason, cause);
		this.expression = expression;
	}

	/**
	 * Return the key or the condition as it is written.
	 * @return the expression
	 */
	public String expression() {
		return this.expression;
	}

}
