package io.github.lockboot.cache;

/**
 * What happens when a caller has waited for as long as it may for the load of another.
 *
 * @since 1.0.0
 */
public enum OnWaitTimeout {

	/**
	 * One caller of each JVM runs the method for all that wait there, and nothing is
	 * stored. Where a load of this JVM runs already, they wait for that one.
	 */
	LOAD,

	/**
	 * It gets a {@link CacheWaitTimeoutException}.
	 */
	FAIL

}
