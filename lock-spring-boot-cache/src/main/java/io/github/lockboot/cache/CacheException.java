package io.github.lockboot.cache;

import org.jspecify.annotations.Nullable;

/**
 * Root of all exceptions of the cache. Exceptions of loaders are never wrapped.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public abstract class CacheException extends RuntimeException {

	private final String cacheName;

	protected CacheException(String cacheName, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.cacheName = cacheName;
	}

	/** Return the name of the cache, empty if the exception is not about one cache. */
	public final String cacheName() {
		return this.cacheName;
	}

}
