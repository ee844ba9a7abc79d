package io.github.lockboot.cache;

/**
 * What a call does after it has waited for {@code waitTimeout} for the load of another.
 *
 * @since 1.0.0
 */
public enum OnWaitTimeout {

	/**
	 * One caller of each JVM runs the method for all that wait there, and nothing is
	 * stored. If a load of this JVM is in progress, all wait for that one.
	 */
	LOAD,

	/** The call throws a {@link CacheWaitTimeoutException}. */
	FAIL

}
