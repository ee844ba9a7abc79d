package io.github.lockboot.cache;

/**
 * What becomes of a caller when Redis does not answer or refuses.
 *
 * @since 1.0.0
 */
public enum OnRedisError {

	/**
	 * The method runs, once for all callers of this JVM that come meanwhile, and nothing
	 * is stored.
	 */
	LOAD,

	/**
	 * It gets a {@link CacheUnavailableException}.
	 */
	FAIL

}
