package io.github.lockboot.annotation;

import io.github.lockboot.LockNotAcquiredException;

/**
 * What a caller of an annotated method gets if the lock stays busy for the whole wait
 * time. In no case does the method run.
 *
 * @since 1.0.0
 */
public enum OnNotAcquired {

	/**
	 * {@link LockNotAcquiredException}.
	 */
	THROW,

	/**
	 * Nothing: an empty {@link java.util.Optional}, collection, map, stream or array, a
	 * completed or empty asynchronous result, and {@code null} of other types. Refused at
	 * the start for a method with a primitive result, which has no such value.
	 */
	SKIP

}
