package io.github.lockboot.cache.aop;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.cache.aop.ExpressionContext.KeySource;
import io.github.lockboot.cache.key.KeyEncoder.EncodedKey;
import io.github.lockboot.expression.MethodExpression;

/**
 * A change of a cache after an annotated method has returned.
 */
sealed interface CacheWrite {

	String cacheName();

	/** Return the condition, or {@code null} for always. */
	@Nullable MethodExpression condition();

	/**
	 * Return the entries that the change will affect: all if they depend on the result.
	 * @param before the keys before the method runs
	 */
	default CacheEviction announced(List<EncodedKey> before) {
		return before.isEmpty() ? CacheEviction.ofAll(cacheName()) : CacheEviction.of(cacheName(), before.toArray());
	}

	/** Return what to evict before the method runs and again after it. */
	default Stream<CacheEviction> before(ExpressionContext context) {
		return Stream.empty();
	}

	/**
	 * Return the keys before the method runs, as far as they are known then: the method
	 * or its caller may change the arguments.
	 */
	List<EncodedKey> keysBefore(ExpressionContext context);

	private static List<EncodedKey> encoded(String cacheName, Supplier<List<Object>> keys) {
		try {
			return keys.get().stream().map((key) -> EncodedKey.of(cacheName, key)).toList();
		}
		catch (CacheKeyException ex) {
			// such as the id of what the method creates
			return List.of();
		}
	}

	/**
	 * Make the change after the call has returned.
	 * @param before the keys before the method ran
	 */
	void apply(CacheOperations operations, ExpressionContext context, List<EncodedKey> before);

	/**
	 * {@link RedisCachePut @RedisCachePut}.
	 *
	 * @param tags the tags of the result, or {@code null} for none
	 * @param withoutNulls the same cache, but it stores no null
	 * @param staged whether the call returns before the method ends
	 */
	record Put(CacheSpec<@Nullable Object> spec, KeySource key, @Nullable MethodExpression tags,
			@Nullable Version version, @Nullable MethodExpression condition, @Nullable MethodExpression unless,
			CacheSpec<@Nullable Object> withoutNulls, boolean staged) implements CacheWrite {

		@Override
		public String cacheName() {
			return this.spec.name();
		}

		@Override
		public List<EncodedKey> keysBefore(ExpressionContext context) {
			return this.key.needsResult() ? List.of() : encoded(cacheName(), () -> List.of(this.key.keyOf(context)));
		}

		@Override
		public void apply(CacheOperations operations, ExpressionContext context, List<EncodedKey> before) {
			boolean known = this.staged && !before.isEmpty();
			EncodedKey key;
			try {
				key = (known && !this.key.isRepeatable()) ? before.get(0)
						: EncodedKey.of(cacheName(), this.key.keyOf(context));
			}
			catch (RuntimeException ex) {
				// the method has run, so the value of the key before it may be wrong
				before.forEach((old) -> operations.evict(CacheEviction.of(cacheName(), old).whenCommitted()));
				if (excludes(context)) {
					return; // such as a null without an id
				}
				throw ex;
			}
			if (known && !before.get(0).equals(key)) {
				// unknown to which key the value belongs
				operations.evict(CacheEviction.of(cacheName(), before.get(0), key).whenCommitted());
				return;
			}
			boolean storable = true;
			try {
				storable = !excludes(context);
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

		private boolean excludes(ExpressionContext context) {
			return this.unless != null && context.holds(this.unless);
		}

		@SuppressWarnings("NullAway") // a result may be null
		private void put(CacheOperations operations, ExpressionContext context, Object key,
				CacheSpec<@Nullable Object> untagged, @Nullable Object value) {
			CacheSpec<@Nullable Object> cache = context.tagged(untagged, this.tags);
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
	 * @param keys several keys or tags, or {@code null} for the one key
	 * @param tagged whether these are tags
	 * @param early whether to evict also before the method runs
	 * @param staged whether the call returns before the method ends
	 */
	record Evict(String cacheName, KeySource key, @Nullable MethodExpression keys, boolean tagged, boolean allEntries,
			@Nullable MethodExpression condition, Duration grace, boolean early, boolean failOnError,
			boolean staged) implements CacheWrite {

		@Override
		public Stream<CacheEviction> before(ExpressionContext context) {
			if (!this.early || !context.holds(this.condition)) {
				return Stream.empty();
			}
			List<Object> evicted = this.allEntries ? List.of()
					: evicted(context).stream().<Object>map((key) -> EncodedKey.of(this.cacheName, key)).toList();
			return (this.allEntries || !evicted.isEmpty()) ? Stream.of(eviction(evicted, false)) : Stream.empty();
		}

		@Override
		public List<EncodedKey> keysBefore(ExpressionContext context) {
			boolean known = !this.allEntries
					&& (this.keys != null ? !this.keys.text().contains("result") : !this.key.needsResult());
			return known ? encoded(this.cacheName, () -> evicted(context)) : List.of();
		}

		@Override
		public void apply(CacheOperations operations, ExpressionContext context, List<EncodedKey> before) {
			if (this.early) {
				return;
			}
			if (this.allEntries) {
				evict(operations, List.of());
				return;
			}
			Set<Object> all = new LinkedHashSet<>(before);
			try {
				if (before.isEmpty() || !this.staged || isRepeatable()) {
					evicted(context).forEach((key) -> all.add(EncodedKey.of(this.cacheName, key)));
				}
			}
			finally {
				// an empty list would evict all entries
				if (!all.isEmpty()) {
					evict(operations, List.copyOf(all));
				}
			}
		}

		private boolean isRepeatable() {
			return ((this.keys != null) ? new KeySource.Written(this.keys) : this.key).isRepeatable();
		}

		private void evict(CacheOperations operations, List<Object> keys) {
			operations.evict(eviction(keys, true));
		}

		private CacheEviction eviction(List<Object> keys, boolean afterCommit) {
			return new CacheEviction(this.cacheName, this.tagged ? List.of() : keys, this.tagged ? keys : List.of(),
					this.grace, afterCommit, this.failOnError);
		}

		@Override
		public CacheEviction announced(List<EncodedKey> before) {
			// the method may add others to several keys
			return CacheWrite.super.announced((this.keys != null) ? List.of() : before);
		}

		private List<Object> evicted(ExpressionContext context) {
			if (this.keys == null) {
				return List.of(this.key.keyOf(context));
			}
			return this.tagged ? context.tags(this.keys) : context.keys(this.keys);
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
