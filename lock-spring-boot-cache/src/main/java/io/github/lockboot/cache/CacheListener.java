package io.github.lockboot.cache;

import java.time.Duration;

/**
 * Is told what happens to caches. Every method does nothing by default. Implementations
 * must be thread-safe and quick; what one throws is logged once and hurts neither the
 * cache nor another listener. Any number of beans of this type may exist.
 *
 * @since 1.0.0
 */
public interface CacheListener {

	/**
	 * Something happened.
	 * @param cacheName name of the cache
	 * @param event what
	 */
	default void onEvent(String cacheName, CacheEvent event) {
	}

	/**
	 * A loader has ended.
	 * @param cacheName name of the cache
	 * @param took how long it ran
	 * @param failed whether it threw
	 */
	default void onLoad(String cacheName, Duration took, boolean failed) {
	}

	/**
	 * Redis has failed several times in a row, and is not asked for a while. Not told
	 * again before {@link #onRedisResumed()}.
	 */
	default void onRedisPaused() {
	}

	/**
	 * Redis has answered again.
	 */
	default void onRedisResumed() {
	}

}
