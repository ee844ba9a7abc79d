package io.github.lockboot.cache.aspect;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.cache.CacheEviction;
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

	/** Do it. */
	void apply(CacheOperations operations, Call call, @Nullable Object result);

	/**
	 * {@link RedisCachePut @RedisCachePut}.
	 *
	 * @param spec the cache
	 * @param key which entry
	 * @param condition whether anything is put, or {@code null} for always
	 */
	record Put(CacheSpec<@Nullable Object> spec, KeySource key,
			@Nullable ConditionExpression condition) implements CacheWrite {

		@Override
		public String cacheName() {
			return this.spec.name();
		}

		@Override
		@SuppressWarnings("NullAway") // a result may be null
		public void apply(CacheOperations operations, Call call, @Nullable Object result) {
			operations.putWhenCommitted(this.spec, this.key.keyOf(call, result), result);
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

		private List<Object> evicted(Call call, @Nullable Object result) {
			return (this.keys != null) ? call.keys(this.keys, result) : List.of(this.key.keyOf(call, result));
		}

	}

}
