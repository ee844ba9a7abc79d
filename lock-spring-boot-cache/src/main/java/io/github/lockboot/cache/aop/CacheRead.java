package io.github.lockboot.cache.aop;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheLoader;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.CacheTerms;
import io.github.lockboot.cache.RedisCache;
import io.github.lockboot.cache.aop.ExpressionContext.KeySource;
import io.github.lockboot.expression.MethodExpression;

/**
 * The parsed {@link RedisCache @RedisCache} of a method.
 *
 * @param ttlFrom how long a result is fresh, or {@code null} for the settings
 * @param condition whether a call is cached, or {@code null} for always
 * @param unless whether a result is not stored, or {@code null} for never
 */
record CacheRead(CacheSpec<@Nullable Object> spec, KeySource key, @Nullable MethodExpression ttlFrom,
		@Nullable MethodExpression condition, @Nullable MethodExpression unless) {

	/** Return the loader that runs the method on the current thread. */
	CacheLoader<@Nullable Object, Throwable> loader(ExpressionContext context) {
		return new InvocationLoader(this, context, context.invocation()::proceed);
	}

	AsyncCacheLoader<@Nullable Object> loader(ExpressionContext context, AsyncCacheLoader<@Nullable Object> body) {
		return new StageLoader(this, context, body);
	}

	/** What the annotation declares about the result of one call. */
	private interface Terms extends CacheTerms<@Nullable Object> {

		CacheRead read();

		ExpressionContext context();

		@Override
		default boolean isStorable(@Nullable Object value) {
			MethodExpression unless = read().unless();
			return unless == null || !context().returned(value).holds(unless);
		}

		@Override
		default Object keyNow(Object key) {
			return read().key().isRepeatable() ? read().key().keyOf(context()) : key;
		}

		@Override
		default @Nullable Duration ttlOf(@Nullable Object value) {
			MethodExpression ttlFrom = read().ttlFrom();
			if (ttlFrom == null || value == null) {
				return null;
			}
			Object ttl = context().returned(value).evaluate(ttlFrom);
			if (ttl instanceof Duration duration) {
				return duration;
			}
			if (ttl instanceof Number millis) {
				return Duration.ofMillis(millis.longValue());
			}
			throw context().failure(ttlFrom.text(), "is neither a duration nor a number of milliseconds but " + ttl,
					null);
		}

	}

	private record InvocationLoader(CacheRead read, ExpressionContext context,
			MethodBody body) implements Terms, CacheLoader<@Nullable Object, Throwable> {

		@Override
		@SuppressWarnings("NullAway") // a method may return null
		public @Nullable Object load() throws Throwable {
			return this.body.proceed();
		}

		@Override
		public CacheLoader<@Nullable Object, Throwable> inBackground() {
			return new InvocationLoader(this.read, this.context, MethodBody.repeatable(this.context.invocation()));
		}

	}

	private record StageLoader(CacheRead read, ExpressionContext context,
			AsyncCacheLoader<@Nullable Object> body) implements Terms, AsyncCacheLoader<@Nullable Object> {

		@Override
		public CompletionStage<? extends @Nullable Object> load() throws Throwable {
			return this.body.load();
		}

	}

}
