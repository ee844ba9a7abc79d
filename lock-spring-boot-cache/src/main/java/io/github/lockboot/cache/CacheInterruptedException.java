package io.github.lockboot.cache;

/**
 * Thrown when a caller is interrupted while it waits for an entry. The interrupt flag is
 * set again. The loader of the caller did not run; the load for which the caller waited
 * continues.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CacheInterruptedException extends CacheException {

	public CacheInterruptedException(String cacheName, String key, InterruptedException cause) {
		super(cacheName, "Interrupted while waiting for entry '" + key + "' of cache '" + cacheName + "'", cause);
	}

}
