package io.github.lockboot.annotation;

import io.github.lockboot.LockNotAcquiredException;

/**
 * What a call of an annotated method does if its lock remains busy for the whole wait
 * time, or too many calls wait for it. The method never runs.
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
	SKIP

}
