package io.github.lockboot.cache.aop;

import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.expression.MethodExpression;

/**
 * Which version a put has.
 *
 * @param expression gives it, after the call
 * @param method where it is written, for messages
 */
record PutVersion(MethodExpression expression, String method) {

	/**
	 * Return the version.
	 * @throws CacheKeyException if it is none
	 */
	long of(Call call, @Nullable Object result) {
		Object value;
		try {
			value = call.evaluate(this.expression, result);
		}
		catch (CacheKeyException ex) {
			throw failure(call, "can't be evaluated; " + ex.getMessage(), ex.getCause());
		}
		if (value instanceof Number number) {
			return whole(call, number);
		}
		throw failure(call, (value != null) ? "is no number but a " + value.getClass().getName()
				: "is null; 'unless' can keep such results from being put", null);
	}

	/** A part that is cut off would make two versions equal. */
	private long whole(Call call, Number number) {
		if (number instanceof Long || number instanceof Integer) {
			return number.longValue();
		}
		try {
			return new BigDecimal(number.toString()).longValueExact();
		}
		catch (ArithmeticException | NumberFormatException ex) {
			throw failure(call, "is " + number + ", which is no whole number that a long can hold", null);
		}
	}

	private CacheKeyException failure(Call call, String reason, @Nullable Throwable cause) {
		return new CacheKeyException(call.cacheName(), "The version '" + this.expression.text()
				+ "' in @RedisCachePut of " + this.method + " for cache '" + call.cacheName() + "' " + reason, cause);
	}

}
