package io.github.lockboot.cache.aop;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.expression.MethodExpression;
import io.github.lockboot.expression.MethodExpressionException;

/**
 * One call of an annotated method, as its expressions see it.
 *
 * @param cacheName name of the cache, for messages
 * @param parameters how many of them the caller passes
 */
@SuppressWarnings("ArrayRecordComponent")
record Call(String cacheName, @Nullable Object target, @Nullable Object[] arguments, int parameters) {

	/** Return the key before the call: of the expression, or of all arguments. */
	Object key(@Nullable MethodExpression expression) {
		return (expression != null) ? notNull(expression, evaluate(expression)) : allArguments();
	}

	/** Return the key after the call. */
	Object key(@Nullable MethodExpression expression, @Nullable Object result) {
		return (expression != null) ? notNull(expression, evaluate(expression, result)) : allArguments();
	}

	/** Return several keys after the call. */
	List<Object> keys(MethodExpression expression, @Nullable Object result) {
		Object value = notNull(expression, evaluate(expression, result));
		Object[] several = (value instanceof Collection<?> values) ? values.toArray()
				: ObjectUtils.toObjectArray(value);
		return List.of(several).stream().map((key) -> notNull(expression, key)).toList();
	}

	boolean holds(@Nullable MethodExpression condition) {
		return condition == null || evaluate(condition.text(), () -> condition.holds(this.target, this.arguments));
	}

	boolean holds(@Nullable MethodExpression condition, @Nullable Object result) {
		return condition == null || evaluate(condition.text(),
				() -> condition.holds(this.target, this.arguments, ObjectUtils.unwrapOptional(result)));
	}

	@Nullable Object evaluate(MethodExpression expression, @Nullable Object result) {
		return evaluate(expression.text(),
				() -> expression.value(this.target, this.arguments, ObjectUtils.unwrapOptional(result)));
	}

	private @Nullable Object evaluate(MethodExpression expression) {
		return evaluate(expression.text(), () -> expression.value(this.target, this.arguments));
	}

	private <T extends @Nullable Object> T evaluate(String text, Supplier<T> evaluation) {
		try {
			return evaluation.get();
		}
		catch (MethodExpressionException ex) {
			throw failure(text, String.valueOf(ex.getMessage()), ex.getCause());
		}
	}

	private Object allArguments() {
		Object only = (this.parameters == 1) ? this.arguments[0] : null;
		return (only != null) ? only : CacheKey.of(Arrays.copyOf(this.arguments, this.parameters));
	}

	private Object notNull(MethodExpression expression, @Nullable Object key) {
		if (key == null) {
			throw failure(expression.text(), "is null", null);
		}
		return key;
	}

	CacheKeyException failure(String expression, String reason, @Nullable Throwable cause) {
		return new CacheKeyException(this.cacheName,
				"Expression '" + expression + "' of cache '" + this.cacheName + "' " + reason, cause);
	}

}
