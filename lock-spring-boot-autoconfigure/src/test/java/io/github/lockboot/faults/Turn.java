package io.github.lockboot.faults;

import java.util.Random;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;

/**
 * One time that a clerk works under a lock.
 *
 * @param locks where from
 * @param family the family of the lock
 * @param holds what this thread acquired last
 * @param shift the work
 * @param random chooses what is left open
 * @param askedNanos the time before it begins
 */
record Turn(LockOperations locks, String family, HoldsOfThreads holds, Shift shift, Random random, long askedNanos) {

	/**
	 * A request for the lock that all want.
	 * @return the request
	 */
	LockRequest contended() {
		return LockRequest.of(this.family);
	}

	/**
	 * A request for another lock of the family.
	 * @param kind which one
	 * @return the request
	 */
	LockRequest lock(String kind) {
		return LockRequest.of(LockNames.of(this.family, kind));
	}

	/**
	 * Count under a lock.
	 * @param request which lock
	 */
	void acquire(LockRequest request) {
		try (LockHandle hold = this.locks.acquire(request)) {
			this.shift.count(request, hold, 1, this.askedNanos);
		}
	}

	/**
	 * Count under a lock if it is to be had.
	 * @param request which lock
	 */
	void tryAcquire(LockRequest request) {
		try (@Nullable
		LockHandle hold = this.locks.tryAcquire(request)) {
			if (hold != null) {
				this.shift.count(request, hold, 1, this.askedNanos);
			}
		}
	}

	@SafeVarargs
	final <T> T oneOf(T... choices) {
		return choices[this.random.nextInt(choices.length)];
	}

}
