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
import io.github.lockboot.expression.MethodExpression;

/**
 * A change of a cache after an annotated method has returned.
 */
sealed interface CacheWrite {

	String cacheName();

	/** Return the condition, or {@code null} for always. */
	@Nullable MethodExpression condition();

	/** Return the keys that the change will affect, before the method runs. */
	CacheEviction announced(Call call);

	/** Return what to evict before the method runs and again after it. */
	default Stream<CacheEviction> before(Call call) {
		return Stream.empty();
	}

	/**
	 * Return the keys that a method will change; none, for all, if its result decides.
	 */
	private static List<Object> keysBefore(KeySource source, Call call) {
		try {
			return source.needsResult() ? List.of() : List.of(source.keyOf(call));
		}
		catch (CacheKeyException ex) {
			return List.of();
		}
	}

	/** Make the change after the call has returned. */
	void apply(CacheOperations operations, Call call);

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
		public CacheEviction announced(Call call) {
			return new CacheEviction(cacheName(), keysBefore(this.key, call), Duration.ZERO, true);
		}

		@Override
		public void apply(CacheOperations operations, Call call) {
			Object key = this.key.keyOf(call);
			boolean storable = true;
			try {
				storable = this.unless == null || !call.holds(this.unless);
				// a null that is not stored evicts the entry
				put(operations, call, key, storable ? this.spec : this.withoutNulls, storable ? call.result() : null);
			}
			catch (CacheKeyException ex) {
				// the method has run, so the cached value may be wrong
				operations.evict(new CacheEviction(cacheName(), List.of(key), Duration.ZERO, true));
				if (storable) {
					throw ex;
				}
			}
		}

		@SuppressWarnings("NullAway") // a result may be null
		private void put(CacheOperations operations, Call call, Object key, CacheSpec<@Nullable Object> cache,
				@Nullable Object value) {
			if (this.version == null) {
				operations.putWhenCommitted(cache, key, value);
			}
			else {
				operations.putIfNewerWhenCommitted(cache, key, value, this.version.of(call));
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
		public Stream<CacheEviction> before(Call call) {
			return (this.early && call.holds(this.condition)) ? eviction(call, false) : Stream.empty();
		}

		@Override
		public void apply(CacheOperations operations, Call call) {
			if (!this.early) {
				eviction(call, true).forEach(operations::evict);
			}
		}

		/** Return nothing for an empty list of keys, which would evict all entries. */
		private Stream<CacheEviction> eviction(Call call, boolean afterCommit) {
			List<Object> evicted = this.allEntries ? List.of() : evicted(call);
			return (this.allEntries || !evicted.isEmpty())
					? Stream.of(new CacheEviction(this.cacheName, evicted, this.grace, afterCommit, this.failOnError))
					: Stream.empty();
		}

		@Override
		public CacheEviction announced(Call call) {
			boolean all = this.allEntries || this.keys != null;
			return new CacheEviction(this.cacheName, all ? List.of() : keysBefore(this.key, call), Duration.ZERO, true);
		}

		private List<Object> evicted(Call call) {
			return (this.keys != null) ? call.keys(this.keys) : List.of(this.key.keyOf(call));
		}

	}

	/**
	 * The version of a put.
	 *
	 * @param expression computes it, after the call
	 * @param method description of the method, for messages
	 */
	record Version(MethodExpression expression, String method) {

		/**
		 * Return the version.
		 * @throws CacheKeyException if the value is no version
		 */
		long of(Call call) {
			Object value;
			try {
				value = call.evaluate(this.expression);
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

		/** Rounding would make two versions equal. */
		private long whole(Call call, Number number) {
			try {
				return new BigDecimal(number.toString()).longValueExact();
			}
			catch (ArithmeticException | NumberFormatException ex) {
				throw failure(call, "is " + number + ", which is no whole number that a long can hold", null);
			}
		}

		private CacheKeyException failure(Call call, String reason, @Nullable Throwable cause) {
			return new CacheKeyException(call.cacheName(), "The version '" + this.expression.text()
					+ "' in @RedisCachePut of " + this.method + " for cache '" + call.cacheName() + "' " + reason,
					cause);
		}

	}

}
