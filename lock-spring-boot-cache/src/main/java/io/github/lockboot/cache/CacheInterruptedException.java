package io.github.lockboot.cache;

/**
 * A caller was interrupted while it waited for an entry. Its interrupt flag is set again.
 * Its own loader did not run; the load that it waited for continues.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CacheInterruptedException extends CacheException {

	/** Create an exception. */
	public CacheInterruptedException(String cacheName, String key, InterruptedException cause) {
		super(cacheName, "Interrupted while waiting for entry '" + key + "' of cache '" + cacheName + "'", cause);
	}

}
