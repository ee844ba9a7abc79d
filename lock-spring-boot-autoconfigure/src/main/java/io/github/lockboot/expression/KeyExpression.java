package io.github.lockboot.expression;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.util.ObjectUtils;

import io.github.lockboot.Internal;

/**
 * The key of a method, parsed and ready. Thread-safe.
 *
 * @since 1.0.0
 */
@Internal
public final class KeyExpression {

	private final String text;

	private final List<Expression> parts;

	private final MethodScope scope;

	KeyExpression(String text, List<Expression> parts, MethodScope scope) {
		this.text = text;
		this.parts = parts;
		this.scope = scope;
	}

	/**
	 * Return the key as it is written.
	 * @return the expression
	 */
	public String text() {
		return this.text;
	}

	/**
	 * Evaluate the key for one call.
	 * @param target what the method is called on
	 * @param arguments its arguments
	 * @return the key, or one for each element of a collection or an array; at least one,
	 * none of them blank
	 * @throws KeyExpressionException if the evaluation fails or gives nothing to make a
	 * key of
	 */
	public List<String> evaluate(@Nullable Object target, @Nullable Object[] arguments) {
		EvaluationContext call = this.scope.call(target, arguments);
		if (this.parts.size() > 1) {
			return List.of(join(call));
		}
		Object value = valueOf(this.parts.get(0), call);
		if (ObjectUtils.isArray(value)) {
			return keys(Arrays.asList(ObjectUtils.toObjectArray(value)));
		}
		return (value instanceof Collection<?> values) ? keys(values) : List.of(key(value, ""));
	}

	private String join(EvaluationContext call) {
		StringBuilder key = new StringBuilder();
		for (Expression part : this.parts) {
			key.append((part instanceof LiteralExpression) ? part.getExpressionString()
					: key(valueOf(part, call), "has the part '" + part.getExpressionString() + "', which "));
		}
		return key.toString();
	}

	private List<String> keys(Collection<?> values) {
		if (values.isEmpty()) {
			throw failure("is an empty collection: there is nothing to lock", null);
		}
		return values.stream().map((value) -> key(value, "has an element that ")).toList();
	}

	private String key(@Nullable Object value, String which) {
		try {
			return KeyText.of(value);
		}
		catch (IllegalArgumentException ex) {
			throw failure(which + ex.getMessage(), null);
		}
	}

	private @Nullable Object valueOf(Expression part, EvaluationContext call) {
		try {
			return ObjectUtils.unwrapOptional(part.getValue(call));
		}
		catch (RuntimeException ex) {
			throw failure("can't be evaluated: " + ex.getMessage(), ex);
		}
	}

	private KeyExpressionException failure(@Nullable String reason, @Nullable Throwable cause) {
		return new KeyExpressionException(this.text, String.valueOf(reason), cause);
	}

}
