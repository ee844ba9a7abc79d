package io.github.lockboot.cache;

/**
 * Redis does not answer or refuses. A caller of a loader gets it if
 * {@link OnRedisError#FAIL} is chosen; the loader did not run. A caller of an evict gets
 * it if {@link CacheEviction#orFail()} asks for it.
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

	/**
	 * Create an exception of an evict.
	 * @param cacheName name of the cache
	 * @param cause what Redis said
	 */
	public CacheUnavailableException(String cacheName, Throwable cause) {
		super(cacheName, "Entries of cache '" + cacheName + "' are not evicted yet, since Redis fails: "
				+ cause.getMessage() + ". The evict is retried in the background", cause);
	}

}
