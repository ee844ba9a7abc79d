package io.github.lockboot.cache.aspect;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

import io.github.lockboot.cache.CacheKey;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.expression.CallExpression;
import io.github.lockboot.expression.KeyExpressionException;

/**
 * One call of an annotated method, as its expressions see it.
 *
 * @param cacheName name of the cache, for messages
 * @param target what the method is called on
 * @param arguments its arguments
 */
@SuppressWarnings("ArrayRecordComponent")
record Call(String cacheName, @Nullable Object target, @Nullable Object[] arguments) {

	/** The key before the call: of the expression, else of all arguments. */
	Object key(@Nullable CallExpression expression) {
		return (expression != null) ? notNull(expression, evaluate(expression)) : allArguments();
	}

	/** The key after the call. */
	Object key(@Nullable CallExpression expression, @Nullable Object result) {
		return (expression != null) ? notNull(expression, evaluate(expression, result)) : allArguments();
	}

	/** Several keys after the call. */
	List<Object> keys(CallExpression expression, @Nullable Object result) {
		Object value = notNull(expression, evaluate(expression, result));
		Object[] several = (value instanceof Collection<?> values) ? values.toArray()
				: ObjectUtils.toObjectArray(value);
		return List.of(several).stream().map((key) -> notNull(expression, key)).toList();
	}

	boolean holds(@Nullable CallExpression condition) {
		return condition == null || isTrue(condition, evaluate(condition));
	}

	boolean holds(@Nullable CallExpression condition, @Nullable Object result) {
		return condition == null || isTrue(condition, evaluate(condition, result));
	}

	@Nullable Object evaluate(CallExpression expression, @Nullable Object result) {
		try {
			return expression.evaluate(this.target, this.arguments, ObjectUtils.unwrapOptional(result));
		}
		catch (KeyExpressionException ex) {
			throw failure(expression, String.valueOf(ex.getMessage()), ex.getCause());
		}
	}

	private @Nullable Object evaluate(CallExpression expression) {
		try {
			return expression.evaluate(this.target, this.arguments);
		}
		catch (KeyExpressionException ex) {
			throw failure(expression, String.valueOf(ex.getMessage()), ex.getCause());
		}
	}

	private Object allArguments() {
		Object only = (this.arguments.length == 1) ? this.arguments[0] : null;
		return (only != null) ? only : CacheKey.of(this.arguments);
	}

	private Object notNull(CallExpression expression, @Nullable Object key) {
		if (key == null) {
			throw failure(expression, "is null", null);
		}
		return key;
	}

	private boolean isTrue(CallExpression condition, @Nullable Object value) {
		if (value instanceof Boolean flag) {
			return flag;
		}
		throw failure(condition, "is neither true nor false but " + value, null);
	}

	CacheKeyException failure(CallExpression expression, String reason, @Nullable Throwable cause) {
		return new CacheKeyException(this.cacheName,
				"Expression '" + expression.text() + "' of cache '" + this.cacheName + "' " + reason, cause);
	}

}
