package io.github.lockboot.annotation;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;

/**
 * One call under one or several locks, in the thread of its caller. The locks are taken
 * one inside the other and share the wait time; if one is not had, those taken before are
 * given back and the call does not run.
 */
final class LockedCall {

	private final LockedInvocation invocation;

	private final List<LockRequest> requests;

	private final LongSupplier nanoTime;

	private final long start;

	private boolean begun;

	LockedCall(LockedInvocation invocation, LongSupplier nanoTime) {
		this.invocation = invocation;
		this.requests = invocation.requests();
		this.nanoTime = nanoTime;
		this.start = nanoTime.getAsLong();
	}

	@Nullable Object run() throws Throwable {
		try {
			return run(0);
		}
		catch (LockNotAcquiredException ex) {
			if (this.begun) {
				throw ex; // of another lock, inside the method
			}
			return this.invocation.refuse(ex);
		}
	}

	@SuppressWarnings("NullAway") // a section may return null
	private @Nullable Object run(int taken) throws Throwable {
		if (taken == this.requests.size()) {
			this.begun = true;
			return this.invocation.proceed();
		}
		return this.invocation.operations().<@Nullable Object, Throwable>execute(request(taken), () -> run(taken + 1));
	}

	private LockRequest request(int taken) {
		LockRequest request = this.requests.get(taken);
		return (taken == 0) ? request : request.waitTime(remaining(request));
	}

	private Duration remaining(LockRequest request) {
		Duration waitTime = (request.waitTime() != null) ? request.waitTime() : Duration.ZERO;
		Duration remaining = waitTime.minusNanos(this.nanoTime.getAsLong() - this.start);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

}
