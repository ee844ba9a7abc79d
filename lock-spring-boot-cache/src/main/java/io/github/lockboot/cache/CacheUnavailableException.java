package io.github.lockboot.cache;

/**
 * Thrown when Redis does not reply or rejects a command: to a caller with a loader for
 * {@link OnRedisError#FAIL}, whose loader did not run, and to a caller of an evict for
 * {@link CacheEviction#orFail()}.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CacheUnavailableException extends CacheException {

	public CacheUnavailableException(String cacheName, String key, Throwable cause) {
		super(cacheName, "Entry '" + key + "' of cache '" + cacheName
				+ "' can't be read, loaded or put, since Redis fails: " + cause.getMessage(), cause);
	}

	/** Create an exception for an evict. */
	public CacheUnavailableException(String cacheName, Throwable cause) {
		super(cacheName, "Entries of cache '" + cacheName + "' are not evicted yet, since Redis fails: "
				+ cause.getMessage() + ". The evict is retried in the background", cause);
	}

}
