package io.github.lockboot.cache.aspect;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEviction;
import io.github.lockboot.cache.CacheKeyException;
import io.github.lockboot.cache.CacheOperations;
import io.github.lockboot.cache.CacheSpec;
import io.github.lockboot.cache.RedisCacheEvict;
import io.github.lockboot.cache.RedisCachePut;
import io.github.lockboot.expression.CallExpression;
import io.github.lockboot.expression.ConditionExpression;

/**
 * What is done after an annotated method has returned.
 */
sealed interface CacheWrite {

	/** Return the name of the cache. */
	String cacheName();

	/** Return whether to do it, or {@code null} for always. */
	@Nullable ConditionExpression condition();

	/** Return what it will change, before the method runs. */
	CacheEviction announced(Call call);

	/** Return the keys that a method will change; none, for all, where only it knows. */
	private static List<Object> keysBefore(KeySource source, Call call) {
		try {
			return source.needsResult() ? List.of() : List.of(source.keyOf(call));
		}
		catch (CacheKeyException ex) {
			return List.of();
		}
	}

	/** Do it. */
	void apply(CacheOperations operations, Call call, @Nullable Object result);

	/**
	 * {@link RedisCachePut @RedisCachePut}.
	 *
	 * @param spec the cache
	 * @param key which entry
	 * @param version which version its values have, or {@code null} for none
	 * @param condition whether anything is put, or {@code null} for always
	 */
	record Put(CacheSpec<@Nullable Object> spec, KeySource key, @Nullable PutVersion version,
			@Nullable ConditionExpression condition) implements CacheWrite {

		@Override
		public String cacheName() {
			return this.spec.name();
		}

		@Override
		public CacheEviction announced(Call call) {
			return new CacheEviction(cacheName(), keysBefore(this.key, call), Duration.ZERO, true);
		}

		@Override
		@SuppressWarnings("NullAway") // a result may be null
		public void apply(CacheOperations operations, Call call, @Nullable Object result) {
			Object key = this.key.keyOf(call, result);
			if (this.version == null) {
				operations.putWhenCommitted(this.spec, key, result);
			}
			else {
				operations.putIfNewerWhenCommitted(this.spec, key, result, versionOf(operations, call, key, result));
			}
		}

		private long versionOf(CacheOperations operations, Call call, Object key, @Nullable Object result) {
			try {
				return Objects.requireNonNull(this.version).of(call, result);
			}
			catch (CacheKeyException ex) {
				// the method has run, so what was cached may be wrong
				operations.evict(new CacheEviction(cacheName(), List.of(key), Duration.ZERO, true));
				throw ex;
			}
		}

	}

	/**
	 * {@link RedisCacheEvict @RedisCacheEvict}.
	 *
	 * @param cacheName name of the cache
	 * @param key which entry
	 * @param keys which entries, or {@code null} for the one of the key
	 * @param allEntries whether all are evicted
	 * @param condition whether anything is evicted, or {@code null} for always
	 * @param grace how long old data may still be read
	 */
	record Evict(String cacheName, KeySource key, @Nullable CallExpression keys, boolean allEntries,
			@Nullable ConditionExpression condition, Duration grace) implements CacheWrite {

		@Override
		public void apply(CacheOperations operations, Call call, @Nullable Object result) {
			List<Object> evicted = this.allEntries ? List.of() : evicted(call, result);
			if (this.allEntries || !evicted.isEmpty()) {
				operations.evict(new CacheEviction(this.cacheName, evicted, this.grace, true));
			}
		}

		@Override
		public CacheEviction announced(Call call) {
			boolean all = this.allEntries || this.keys != null;
			return new CacheEviction(this.cacheName, all ? List.of() : keysBefore(this.key, call), Duration.ZERO, true);
		}

		private List<Object> evicted(Call call, @Nullable Object result) {
			return (this.keys != null) ? call.keys(this.keys, result) : List.of(this.key.keyOf(call, result));
		}

	}

}
