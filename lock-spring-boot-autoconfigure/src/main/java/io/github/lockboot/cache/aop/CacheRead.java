package io.github.lockboot.cache.aop;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.expression.MethodExpression;

/**
 * What {@link RedisCache @RedisCache} says on a method.
 *
 * @param spec the cache
 * @param key which entry
 * @param ttlFrom how long a result is fresh, or {@code null} for the settings
 * @param condition whether a call is cached, or {@code null} for always
 * @param unless whether a result is not kept, or {@code null} for never
 */
record CacheRead(CacheSpec<@Nullable Object> spec, KeySource key, @Nullable MethodExpression ttlFrom,
		@Nullable MethodExpression condition, @Nullable MethodExpression unless) {

	boolean isKept(Call call, @Nullable Object result) {
		return this.unless == null || !call.holds(this.unless, result);
	}

	@Nullable Duration ttl(Call call, @Nullable Object result) {
		if (this.ttlFrom == null || result == null) {
			return null;
		}
		Object value = call.evaluate(this.ttlFrom, result);
		if (value instanceof Duration duration) {
			return duration;
		}
		if (value instanceof Number millis) {
			return Duration.ofMillis(millis.longValue());
		}
		throw call.failure(this.ttlFrom.text(), "is neither a duration nor a number of milliseconds but " + value,
				null);
	}

}
