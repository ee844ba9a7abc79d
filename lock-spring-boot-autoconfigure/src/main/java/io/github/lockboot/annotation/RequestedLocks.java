package io.github.lockboot.annotation;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import io.github.lockboot.LockRequest;

/**
 * The locks of one call, in the order in which all callers take them. They share the wait
 * time, which begins when this is made.
 */
final class RequestedLocks {

	private final List<LockRequest> requests;

	private final LongSupplier nanoTime;

	private final long start;

	RequestedLocks(List<LockRequest> requests, LongSupplier nanoTime) {
		this.requests = requests;
		this.nanoTime = nanoTime;
		this.start = nanoTime.getAsLong();
	}

	List<LockRequest> all() {
		return this.requests;
	}

	/**
	 * Whether so many locks are all of them.
	 */
	boolean areAll(int taken) {
		return taken == this.requests.size();
	}

	/**
	 * Return what to ask for next.
	 * @param taken how many locks are taken
	 * @return a request with what is left of the wait time
	 */
	LockRequest next(int taken) {
		LockRequest request = this.requests.get(taken);
		return (taken == 0) ? request : request.waitTime(remaining(request));
	}

	private Duration remaining(LockRequest request) {
		Duration waitTime = (request.waitTime() != null) ? request.waitTime() : Duration.ZERO;
		Duration remaining = waitTime.minusNanos(this.nanoTime.getAsLong() - this.start);
		return remaining.isNegative() ? Duration.ZERO : remaining;
	}

}
