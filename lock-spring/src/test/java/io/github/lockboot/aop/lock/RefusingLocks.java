package io.github.lockboot.aop.lock;

import java.time.Duration;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.RecordingLockOperations;

/**
 * Locks that nobody acquires.
 */
class RefusingLocks extends RecordingLockOperations {

	private final Function<LockRequest, LockException> reason;

	/** Create locks that another holder has. */
	RefusingLocks() {
		this((request) -> new LockNotAcquiredException(request.name(), Duration.ZERO, null));
	}

	RefusingLocks(Function<LockRequest, LockException> reason) {
		this.reason = reason;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request,
			LockCallback<T, X> section) {
		throw this.reason.apply(request);
	}

}
