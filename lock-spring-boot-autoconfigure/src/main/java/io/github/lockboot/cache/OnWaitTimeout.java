package io.github.lockboot.cache;

/**
 * What becomes of a caller that has waited long enough for the load of another.
 *
 * @since 1.0.0
 */
public enum OnWaitTimeout {

	/**
	 * It runs the method itself, and nothing is stored.
	 */
	LOAD,

	/**
	 * It gets a {@link CacheWaitTimeoutException}.
	 */
	FAIL

}
