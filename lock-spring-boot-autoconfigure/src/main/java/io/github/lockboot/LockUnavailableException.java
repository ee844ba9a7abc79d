package io.github.lockboot;

import org.jspecify.annotations.Nullable;

/**
 * The store of the locks could not be reached or did not answer in time, or the
 * application stops and gives out no more locks. Never treated as "not acquired": whether
 * the lock is free is not known. The section did not run.
 *
 * @since 1.0.0
 */
@SuppressWarnings("serial")
public class LockUnavailableException extends LockException {

	/**
	 * Create an exception.
	 * @param lockName name of the lock
	 * @param message what could not be done
	 * @param cause what the store's client threw, if it was asked
	 */
	public LockUnavailableException(@Nullable String lockName, String message, @Nullable Throwable cause) {
		super(lockName, message, cause);
	}

}
