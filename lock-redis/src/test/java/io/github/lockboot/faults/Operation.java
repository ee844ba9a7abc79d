package io.github.lockboot.faults;

import java.time.Duration;
import java.util.Random;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;

/**
 * One operation of a thread on locks.
 *
 * @param section the work under the lock
 * @param requestedNanos time before the operation
 */
record Operation(LockOperations locks, String family, LastHandles holds, CriticalSection section, Random random,
		long requestedNanos) {

	/** Return a request for the contended lock. */
	LockRequest contended() {
		return LockRequest.of(this.family);
	}

	/** Return a request for another lock of the family. */
	LockRequest lock(String kind) {
		return LockRequest.of(LockNames.of(this.family, kind));
	}

	/** Work under a lock. */
	void acquire(LockRequest request) {
		try (LockHandle hold = this.locks.acquire(varied(request))) {
			this.section.work(request, hold, 1, this.requestedNanos);
		}
	}

	/** Work under a lock if it is available. */
	void tryAcquire(LockRequest request) {
		try (@Nullable
		LockHandle hold = this.locks.tryAcquire(varied(request))) {
			if (hold != null) {
				this.section.work(request, hold, 1, this.requestedNanos);
			}
		}
	}

	/**
	 * Half of the releases do not wait for their replies, and half of the locks are
	 * retained, for less than a lease or for longer.
	 */
	private LockRequest varied(LockRequest request) {
		return request.release(this.random.nextBoolean() ? LockRelease.SENT : LockRelease.CONFIRMED)
			.retainTime(Duration.ofMillis(oneOf(0, 0, 0, 20, 300, 3000)));
	}

	/**
	 * Return a request that the store supports.
	 * @param otherwise the request if the store does not support that one
	 */
	LockRequest supported(LockRequest request, LockRequest otherwise) {
		return supported(this.locks, request, otherwise);
	}

	static LockRequest supported(LockOperations locks, LockRequest request, LockRequest otherwise) {
		try {
			locks.requireSupported(request);
			return request;
		}
		catch (UnsupportedOperationException ex) {
			return otherwise;
		}
	}

	@SafeVarargs
	final <T> T oneOf(T... choices) {
		return choices[this.random.nextInt(choices.length)];
	}

}
