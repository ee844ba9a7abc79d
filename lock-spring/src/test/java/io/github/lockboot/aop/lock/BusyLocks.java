package io.github.lockboot.aop.lock;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;

/**
 * Locks that another holder has.
 */
class BusyLocks extends RecordingLockOperations {

	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request,
			LockCallback<T, X> section) {
		throw new LockNotAcquiredException(request.name(), Duration.ZERO, null);
	}

}
