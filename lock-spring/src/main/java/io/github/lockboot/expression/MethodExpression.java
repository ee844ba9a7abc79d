package io.github.lockboot.expression;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.common.LiteralExpression;

import io.github.lockboot.Internal;

/**
 * A parsed expression about the calls of one method: a key, a condition, or any other
 * value. An evaluation that fails throws {@link MethodExpressionException}. Thread-safe.
 */
@Internal
public record MethodExpression(String text, List<Expression> parts, MethodScope scope) {

	/**
	 * Return the value.
	 * @param result result of the call, {@code null} before it
	 */
	public @Nullable Object value(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		return value(this.scope.call(target, arguments, result));
	}

	/**
	 * Return whether a condition, which must be a boolean, holds.
	 * @param result result of the call, {@code null} before it
	 */
	public boolean holds(@Nullable Object target, @Nullable Object[] arguments, @Nullable Object result) {
		return asBoolean(value(target, arguments, result));
	}

	/**
	 * Return the value before a call as keys: one key, or one key for each element of a
	 * collection or an array. There is at least one key, and none is blank.
	 */
	public List<String> keys(@Nullable Object target, @Nullable Object[] arguments) {
		Object value = value(target, arguments, null);
		if (value instanceof Optional<?> optional) {
			value = optional.orElse(null);
		}
		if (value != null && value.getClass().isArray()) {
			value = elements(value);
		}
		return (value instanceof Collection<?> values) ? keys(values) : List.of(key(value, ""));
	}

	private List<@Nullable Object> elements(Object array) {
		try {
			return KeyText.elements(array);
		}
		catch (IllegalArgumentException ex) {
			throw failure(String.valueOf(ex.getMessage()), null);
		}
	}

	private List<String> keys(Collection<?> values) {
		if (values.isEmpty()) {
			throw failure("is an empty collection: there is nothing to lock", null);
		}
		return values.stream().map((value) -> key(value, "has an element that ")).toList();
	}

	private @Nullable Object value(EvaluationContext call) {
		if (this.parts.size() == 1) {
			return value(this.parts.get(0), call);
		}
		StringBuilder joined = new StringBuilder();
		for (Expression part : this.parts) {
			joined.append((part instanceof LiteralExpression) ? part.getExpressionString()
					: key(value(part, call), "has the part '" + part.getExpressionString() + "', which "));
		}
		return joined.toString();
	}

	private @Nullable Object value(Expression part, EvaluationContext call) {
		try {
			return part.getValue(call);
		}
		catch (RuntimeException ex) {
			throw failure("can't be evaluated: " + ex.getMessage(), ex);
		}
	}

	private String key(@Nullable Object value, String which) {
		try {
			return KeyText.of(value);
		}
		catch (IllegalArgumentException ex) {
			throw failure(which + ex.getMessage(), ex.getCause());
		}
	}

	private boolean asBoolean(@Nullable Object value) {
		if (value instanceof Boolean holds) {
			return holds;
		}
		throw failure(
				"gives " + ((value != null) ? "the " + value.getClass().getSimpleName() + " '" + value + "'" : "null")
						+ ", not a boolean",
				null);
	}

	private MethodExpressionException failure(String reason, @Nullable Throwable cause) {
		return new MethodExpressionException(this.text, reason, cause);
	}

}
