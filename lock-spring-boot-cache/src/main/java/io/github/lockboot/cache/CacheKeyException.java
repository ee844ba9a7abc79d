package io.github.lockboot.cache;

import org.jspecify.annotations.Nullable;

/**
 * An expression of a cached method could not be evaluated, or a key is null or of a kind
 * that can't be one. Never replaced by a key of its own: all callers would share one
 * entry.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CacheKeyException extends CacheException {

	/**
	 * Create an exception.
	 * @param cacheName name of the cache
	 * @param message what is wrong, where it is written, and the cure
	 * @param cause what the evaluation threw
	 */
	public CacheKeyException(String cacheName, String message, @Nullable Throwable cause) {
		super(cacheName, message, cause);
	}

}
