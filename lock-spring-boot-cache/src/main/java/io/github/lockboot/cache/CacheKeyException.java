package io.github.lockboot.cache;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an expression of a cached method cannot be evaluated, or when a key is null
 * or of an unsupported type. There is no default key, since all callers would share the
 * entry of such a key.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class CacheKeyException extends CacheException {

	/**
	 * Create an exception.
	 * @param message the problem, its place and its solution
	 */
	public CacheKeyException(String cacheName, String message, @Nullable Throwable cause) {
		super(cacheName, message, cause);
	}

}
