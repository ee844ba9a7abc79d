package io.github.lockboot.cache;

/**
 * Redis does not answer or refuses, and {@link OnRedisError#FAIL} is chosen. The loader
 * did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CacheUnavailableException extends CacheException {

	/**
	 * Create an exception.
	 * @param cacheName name of the cache
	 * @param key key of the entry
	 * @param cause what Redis said
	 */
	public CacheUnavailableException(String cacheName, String key, Throwable cause) {
		super(cacheName, "Entry '" + key + "' of cache '" + cacheName + "' can't be read or loaded, since Redis fails: "
				+ cause.getMessage(), cause);
	}

}
