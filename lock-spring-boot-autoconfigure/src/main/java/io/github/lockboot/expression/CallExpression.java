package io.github.lockboot.expression;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.common.LiteralExpression;

import io.github.lockboot.Internal;

/**
 * An expression about a call of a method, parsed and ready. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class CallExpression {

	private final String text;

	private final List<Expression> parts;

	private final MethodScope scope;

	CallExpression(String text, List<Expression> parts, MethodScope scope) {
		this.text = text;
		this.parts = parts;
		this.scope = scope;
	}

	/**
	 * Evaluate the expression before a call.
	 * @param target what the method is called on
	 * @param arguments its arguments
	 * @return the value; of a template the text
	 * @throws KeyExpressionException if the evaluation fails
	 */
	public @Nullable Object evaluate(@Nullable Object target, @Nullable Object[] arguments) {
		return evaluate(this.scope.call(target, arguments));
	}

	/**
	 * Evaluate the expression after a call.
	 * @param target what the method was called on
	 * @param arguments its arguments
	 * @param result what it has returned
	 * @return the value; of a template the text
	 * @throws KeyExpressionException if the evaluation fails
	 */
	public @Nullable Object evaluate(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		return evaluate(this.scope.callWithResult(target, arguments, result));
	}

	/**
	 * Return the expression as it is written.
	 * @return the expression
	 */
	public String text() {
		return this.text;
	}

	private @Nullable Object evaluate(EvaluationContext call) {
		if (this.parts.size() == 1) {
			return valueOf(this.parts.get(0), call);
		}
		StringBuilder joined = new StringBuilder();
		for (Expression part : this.parts) {
			joined.append((part instanceof LiteralExpression) ? part.getExpressionString() : textOf(part, call));
		}
		return joined.toString();
	}

	private String textOf(Expression part, EvaluationContext call) {
		try {
			return KeyText.of(valueOf(part, call));
		}
		catch (IllegalArgumentException ex) {
			throw new KeyExpressionException(this.text, String.valueOf(ex.getMessage()), null);
		}
	}

	private @Nullable Object valueOf(Expression part, EvaluationContext call) {
		try {
			return part.getValue(call);
		}
		catch (RuntimeException ex) {
			throw new KeyExpressionException(this.text, "can't be evaluated: " + ex.getMessage(), ex);
		}
	}

}
