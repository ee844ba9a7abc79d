package io.github.lockboot.cache;

import java.time.Duration;

/**
 * Receives the events of caches. All methods do nothing by default. Implementations must
 * be thread-safe and fast. The first exception of a listener is logged; exceptions affect
 * neither the cache nor other listeners. Any number of beans of this type may exist.
 *
 * @since 1.0.0
 */
public interface CacheListener {

	/** Called when an event has happened. */
	default void onEvent(String cacheName, CacheEvent event) {
	}

	/** Called when a loader has ended or failed. */
	default void onLoad(String cacheName, Duration took, boolean failed) {
	}

	/**
	 * Called when Redis has failed several times in a row, and commands to Redis pause.
	 * Called once before each {@link #onRedisResumed()}.
	 */
	default void onRedisPaused() {
	}

	/** Called when Redis has replied after a pause. */
	default void onRedisResumed() {
	}

}
