package io.github.lockboot.cache.aop;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.aop.MethodBody;
import io.github.lockboot.cache.AsyncCacheLoader;
import io.github.lockboot.cache.CacheLoader;
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

	private boolean isKept(Call call, @Nullable Object result) {
		return this.unless == null || !call.holds(this.unless, result);
	}

	private @Nullable Duration ttl(Call call, @Nullable Object result) {
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

	/** Return what runs the method in place of a caller. */
	CacheLoader<@Nullable Object, Throwable> loader(Call call, MethodInvocation invocation) {
		return new InvocationLoader(this, call, invocation, invocation::proceed);
	}

	/** Return what begins to run the method. */
	AsyncCacheLoader<@Nullable Object> loader(Call call, AsyncCacheLoader<@Nullable Object> body) {
		return new StageLoader(this, call, body);
	}

	private record InvocationLoader(CacheRead read, Call call, MethodInvocation invocation,
			MethodBody body) implements CacheLoader<@Nullable Object, Throwable> {

		@Override
		@SuppressWarnings("NullAway") // a method may return null
		public @Nullable Object load() throws Throwable {
			return this.body.proceed();
		}

		@Override
		public boolean isStorable(@Nullable Object value) {
			return this.read.isKept(this.call, value);
		}

		@Override
		public @Nullable Duration ttlOf(@Nullable Object value) {
			return this.read.ttl(this.call, value);
		}

		@Override
		public CacheLoader<@Nullable Object, Throwable> inBackground() {
			return new InvocationLoader(this.read, this.call, this.invocation, MethodBody.repeatable(this.invocation));
		}

	}

	private record StageLoader(CacheRead read, Call call,
			AsyncCacheLoader<@Nullable Object> body) implements AsyncCacheLoader<@Nullable Object> {

		@Override
		public CompletionStage<? extends @Nullable Object> load() throws Throwable {
			return this.body.load();
		}

		@Override
		public boolean isStorable(@Nullable Object value) {
			return this.read.isKept(this.call, value);
		}

		@Override
		public @Nullable Duration ttlOf(@Nullable Object value) {
			return this.read.ttl(this.call, value);
		}

	}

}
