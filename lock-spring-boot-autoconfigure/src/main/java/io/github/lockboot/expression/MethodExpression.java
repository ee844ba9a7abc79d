package io.github.lockboot.expression;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.common.LiteralExpression;
import org.springframework.util.ObjectUtils;
import org.springframework.util.StringUtils;

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
		if (ObjectUtils.isArray(value)) {
			return keys(Arrays.asList(ObjectUtils.toObjectArray(value)));
		}
		return (value instanceof Collection<?> values) ? keys(values) : List.of(key(value, ""));
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

	/** Return a text that is the same in every JVM. */
	private String key(@Nullable Object value, String which) {
		Object single;
		String text;
		try {
			single = unwrap(value);
			text = (single instanceof Enum<?> constant) ? constant.name() : String.valueOf(single);
		}
		catch (RuntimeException ex) {
			throw failure(which + "has no text: " + ex, ex);
		}
		String problem = problemOf(single, text);
		if (problem != null) {
			throw failure(which + problem, null);
		}
		return text;
	}

	private static @Nullable Object unwrap(@Nullable Object value) {
		Object single = ObjectUtils.unwrapOptional(value);
		if (single instanceof OptionalInt number) {
			return number.isPresent() ? number.getAsInt() : null;
		}
		if (single instanceof OptionalLong number) {
			return number.isPresent() ? number.getAsLong() : null;
		}
		if (single instanceof OptionalDouble number) {
			return number.isPresent() ? number.getAsDouble() : null;
		}
		return single;
	}

	private static @Nullable String problemOf(@Nullable Object value, String text) {
		if (value == null) {
			return "is null";
		}
		if (!StringUtils.hasText(text)) {
			return "is blank";
		}
		if (BeanUtils.isSimpleValueType(value.getClass())) {
			return null;
		}
		String several = several(value);
		if (several != null) {
			return "is " + several + " where one value is needed; only a whole key may be a collection or an array";
		}
		String type = value.getClass().getName();
		return !text.startsWith(type + "@" + Integer.toHexString(value.hashCode())) ? null : "is a " + type
				+ " without a toString() of its own, which differs in every JVM; use one of its properties";
	}

	private static @Nullable String several(Object value) {
		if (value instanceof Collection) {
			return "a collection";
		}
		if (value instanceof Map) {
			return "a map";
		}
		return ObjectUtils.isArray(value) ? "an array" : null;
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
