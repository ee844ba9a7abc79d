package io.github.lockboot.annotation;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockCallback;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * One call under one or several locks, taken one inside the other. All of them share the
 * wait time; if one is not had, those taken before are given back and the call does not
 * run.
 */
final class LockedCall {

	private final LockOperations operations;

	private final List<LockRequest> requests;

	private final Duration waitTime;

	private final LongSupplier nanoTime;

	private final long start;

	LockedCall(LockOperations operations, List<LockRequest> requests, Duration waitTime, LongSupplier nanoTime) {
		this.operations = operations;
		this.requests = requests;
		this.waitTime = waitTime;
		this.nanoTime = nanoTime;
		this.start = nanoTime.getAsLong();
	}

	@Nullable Object run(LockCallback<@Nullable Object, Throwable> section) throws Throwable {
		return run(0, section);
	}

	@SuppressWarnings("NullAway") // a section may return null
	private @Nullable Object run(int taken, LockCallback<@Nullable Object, Throwable> section) throws Throwable {
		if (taken == this.requests.size()) {
			return section.call();
		}
		return this.operations.<@Nullable Object, Throwable>execute(request(taken), () -> run(taken + 1, section));
	}

	private LockRequest request(int taken) {
		LockRequest request = this.requests.get(taken);
		return (taken == 0) ? request : request.waitTime(remaining());
	}

	private Duration remaining() {
		Duration remaining = this.waitTime.minusNanos(this.nanoTime.getAsLong() - this.start);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

}
