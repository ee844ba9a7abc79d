package io.github.lockboot.annotation;

import io.github.lockboot.LockNotAcquiredException;

/**
 * What a call of an annotated method does if its lock remains busy for the whole wait
 * time, or too many calls wait for it. The method does not run in this call.
 *
 * @since 1.0.0
 */
public enum OnNotAcquired {

	/** Throw {@link LockNotAcquiredException}. */
	THROW,

	/**
	 * Return an empty {@link java.util.Optional}, collection, map or array, a completed
	 * or empty asynchronous result, or {@code null} for other types. A method with a
	 * primitive result has no such value and is rejected at startup.
	 */
	SKIP,

	/**
	 * Do not wait, and let the method run once more after the present run, however many
	 * calls have asked for it: for a job that has to see what changed while it ran. The
	 * call is recorded in the store and returns at once. Any instance of the application
	 * may run the method, even if the instance of the caller has ended. For this the
	 * method returns {@code void}, and either has no parameter and no key, or one
	 * parameter that is the key; it is rejected at startup otherwise.
	 */
	RERUN

}
