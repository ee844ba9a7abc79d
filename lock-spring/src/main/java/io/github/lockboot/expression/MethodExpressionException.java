package io.github.lockboot.expression;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;

/**
 * Thrown when an expression cannot be parsed or evaluated, or when its value cannot be
 * used.
 */
@Internal
@SuppressWarnings("serial")
public class MethodExpressionException extends RuntimeException {

	private final String expression;

	MethodExpressionException(String expression, String reason, @Nullable Throwable cause) {
		super(reason, cause);
		this.expression = expression;
	}

	/** Return the text of the expression. */
	public String expression() {
		return this.expression;
	}

}
