package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the store of the locks cannot be reached or does not reply in time, or when
 * the application is stopping. Unlike with {@link LockNotAcquiredException}, it is
 * unknown whether the lock is free. The section did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockUnavailableException extends LockException {

	/**
	 * Create an exception.
	 * @param lockName name of the lock, or {@code null} if it is unknown
	 * @param message what could not be done
	 * @param cause what the store's client threw, or {@code null} if it threw nothing
	 */
	public LockUnavailableException(@Nullable String lockName, String message, @Nullable Throwable cause) {
		super(lockName, message, cause);
	}

}
