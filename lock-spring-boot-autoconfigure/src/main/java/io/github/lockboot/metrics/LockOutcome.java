package io.github.lockboot.metrics;

import java.time.Duration;
import java.util.Locale;

import io.github.lockboot.LockException;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;

/**
 * How a call for a lock ended.
 */
enum LockOutcome {

	/** The caller acquired the lock. */
	ACQUIRED,

	/** The lock stayed busy for the whole wait time, or the caller cancelled the call. */
	BUSY,

	/** The lock was busy, and the caller did not want to wait, like a scheduled job. */
	SKIPPED,

	/** Too many callers waited already. */
	REFUSED,

	/** The waiting thread was interrupted. */
	INTERRUPTED,

	/** The store did not reply, or failed, or the application is stopping. */
	UNAVAILABLE;

	static LockOutcome of(LockRequest request, LockException reason) {
		if (reason instanceof LockNotAcquiredException notAcquired) {
			boolean refused = notAcquired.reason() == LockNotAcquiredException.Reason.TOO_MANY_WAITING;
			return refused ? REFUSED : Duration.ZERO.equals(request.waitTime()) ? SKIPPED : BUSY;
		}
		return (reason instanceof LockInterruptedException) ? INTERRUPTED : UNAVAILABLE;
	}

	String tag() {
		return name().toLowerCase(Locale.ROOT);
	}

}
