package io.github.lockboot.cache.aop;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.cache.aop.ExpressionContext.KeySource;
import io.github.lockboot.expression.MethodExpression;

/**
 * A change of a cache after an annotated method has returned.
 */
sealed interface CacheWrite {

	String cacheName();

	/** Return the condition, or {@code null} for always. */
	@Nullable MethodExpression condition();

	/** Return the keys that the change will affect, before the method runs. */
	CacheEviction announced(ExpressionContext context);

	/** Return what to evict before the method runs and again after it. */
	default Stream<CacheEviction> before(ExpressionContext context) {
		return Stream.empty();
	}

	/** Return the key that a method will change; all keys if its result decides. */
	private static CacheEviction announced(KeySource source, ExpressionContext context) {
		try {
			return source.needsResult() ? CacheEviction.ofAll(context.cacheName())
					: CacheEviction.of(context.cacheName(), source.keyOf(context));
		}
		catch (CacheKeyException ex) {
			return CacheEviction.ofAll(context.cacheName());
		}
	}

	/** Make the change after the call has returned. */
	void apply(CacheOperations operations, ExpressionContext context);

	/**
	 * {@link RedisCachePut @RedisCachePut}.
	 *
	 * @param withoutNulls the same cache, but it stores no null
	 */
	record Put(CacheSpec<@Nullable Object> spec, KeySource key, @Nullable Version version,
			@Nullable MethodExpression condition, @Nullable MethodExpression unless,
			CacheSpec<@Nullable Object> withoutNulls) implements CacheWrite {

		@Override
		public String cacheName() {
			return this.spec.name();
		}

		@Override
		public CacheEviction announced(ExpressionContext context) {
			return CacheWrite.announced(this.key, context);
		}

		@Override
		public void apply(CacheOperations operations, ExpressionContext context) {
			Object key = this.key.keyOf(context);
			boolean storable = true;
			try {
				storable = this.unless == null || !context.holds(this.unless);
				// a null that is not stored evicts the entry
				put(operations, context, key, storable ? this.spec : this.withoutNulls,
						storable ? context.result() : null);
			}
			catch (CacheKeyException ex) {
				// the method has run, so the cached value may be wrong
				operations.evict(CacheEviction.of(cacheName(), key).whenCommitted());
				if (storable) {
					throw ex;
				}
			}
		}

		@SuppressWarnings("NullAway") // a result may be null
		private void put(CacheOperations operations, ExpressionContext context, Object key,
				CacheSpec<@Nullable Object> cache, @Nullable Object value) {
			if (this.version == null) {
				operations.putWhenCommitted(cache, key, value);
			}
			else {
				operations.putIfNewerWhenCommitted(cache, key, value, this.version.of(context));
			}
		}

	}

	/**
	 * {@link RedisCacheEvict @RedisCacheEvict}.
	 *
	 * @param keys several keys, or {@code null} for the one key
	 * @param early whether to evict also before the method runs
	 */
	record Evict(String cacheName, KeySource key, @Nullable MethodExpression keys, boolean allEntries,
			@Nullable MethodExpression condition, Duration grace, boolean early,
			boolean failOnError) implements CacheWrite {

		@Override
		public Stream<CacheEviction> before(ExpressionContext context) {
			return (this.early && context.holds(this.condition)) ? eviction(context, false) : Stream.empty();
		}

		@Override
		public void apply(CacheOperations operations, ExpressionContext context) {
			if (!this.early) {
				eviction(context, true).forEach(operations::evict);
			}
		}

		/** Return nothing for an empty list of keys, which would evict all entries. */
		private Stream<CacheEviction> eviction(ExpressionContext context, boolean afterCommit) {
			List<Object> evicted = this.allEntries ? List.of() : evicted(context);
			return (this.allEntries || !evicted.isEmpty())
					? Stream.of(new CacheEviction(this.cacheName, evicted, this.grace, afterCommit, this.failOnError))
					: Stream.empty();
		}

		@Override
		public CacheEviction announced(ExpressionContext context) {
			return (this.allEntries || this.keys != null) ? CacheEviction.ofAll(this.cacheName)
					: CacheWrite.announced(this.key, context);
		}

		private List<Object> evicted(ExpressionContext context) {
			return (this.keys != null) ? context.keys(this.keys) : List.of(this.key.keyOf(context));
		}

	}

	/**
	 * The version of a put.
	 *
	 * @param expression computes it, after the call
	 * @param method description of the method, for messages
	 */
	record Version(MethodExpression expression, String method) {

		long of(ExpressionContext context) {
			Object value;
			try {
				value = context.evaluate(this.expression);
			}
			catch (CacheKeyException ex) {
				throw failure(context, "can't be evaluated; " + ex.getMessage(), ex.getCause());
			}
			try {
				if (value instanceof Number number) {
					// rounding would make two versions equal
					return new BigDecimal(number.toString()).longValueExact();
				}
			}
			catch (ArithmeticException | NumberFormatException ex) {
				throw failure(context, "is " + value + ", which is no whole number that a long can hold", null);
			}
			throw failure(context, (value != null) ? "is no number but a " + value.getClass().getName()
					: "is null; 'unless' can keep such results from being put", null);
		}

		private CacheKeyException failure(ExpressionContext context, String reason, @Nullable Throwable cause) {
			return new CacheKeyException(context.cacheName(), "The version '" + this.expression.text()
					+ "' in @RedisCachePut of " + this.method + " for cache '" + context.cacheName() + "' " + reason,
					cause);
		}

	}

}
