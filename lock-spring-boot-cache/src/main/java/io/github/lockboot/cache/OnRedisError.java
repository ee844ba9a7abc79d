package io.github.lockboot.cache;

/**
 * What a call does if Redis does not reply or rejects a command.
 *
 * @since 1.0.0
 */
public enum OnRedisError {

	/**
	 * The method runs, once for all concurrent callers of this JVM, and nothing is
	 * stored.
	 */
	LOAD,

	/** The call throws a {@link CacheUnavailableException}. */
	FAIL

}
