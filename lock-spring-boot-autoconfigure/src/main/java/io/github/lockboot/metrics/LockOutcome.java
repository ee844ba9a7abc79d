package io.github.lockboot.metrics;

import java.util.Locale;

import io.github.lockboot.LockException;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;

/**
 * How a call for a lock ended.
 */
enum LockOutcome {

	/** The caller acquired the lock. */
	ACQUIRED,

	/** The lock stayed busy for the whole wait time, or the caller cancelled the call. */
	BUSY,

	/** Too many callers waited already. */
	REFUSED,

	/** The waiting thread was interrupted. */
	INTERRUPTED,

	/** The store did not reply, or failed, or the application is stopping. */
	UNAVAILABLE;

	static LockOutcome of(LockException reason) {
		if (reason instanceof LockNotAcquiredException notAcquired) {
			return (notAcquired.reason() == LockNotAcquiredException.Reason.TOO_MANY_WAITING) ? REFUSED : BUSY;
		}
		return (reason instanceof LockInterruptedException) ? INTERRUPTED : UNAVAILABLE;
	}

	String tag() {
		return name().toLowerCase(Locale.ROOT);
	}

}
