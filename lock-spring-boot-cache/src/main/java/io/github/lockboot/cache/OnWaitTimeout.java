package io.github.lockboot.cache;

/**
 * What a call does after it has waited for {@code waitTimeout} for the load of another
 * caller.
 *
 * @since 1.0.0
 */
public enum OnWaitTimeout {

	/**
	 * One caller of each JVM runs the method for all callers that wait in this JVM, and
	 * nothing is stored. If a load of this JVM is in progress, all callers wait for that
	 * load.
	 */
	LOAD,

	/** The call throws a {@link CacheWaitTimeoutException}. */
	FAIL

}
