package io.github.lockboot.cache;

import java.time.Duration;

/**
 * Thrown for {@link OnWaitTimeout#FAIL} when a caller has waited for {@code waitTimeout}
 * for the load of another caller. The loader of this caller did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CacheWaitTimeoutException extends CacheException {

	public CacheWaitTimeoutException(String cacheName, String key, Duration waited) {
		super(cacheName, "Entry '" + key + "' of cache '" + cacheName + "' was not loaded within " + waited.toMillis()
				+ " ms by the caller that loads it", null);
	}

}
