package io.github.lockboot.engine;

import java.util.List;

import io.github.lockboot.LockRequest;

/**
 * One call for several locks until it has its answer. Listeners know it as a call for
 * each lock, and all of these begin and end together.
 *
 * @param request what is asked for
 * @param parts the calls for each lock, in order
 */
record JointCall(LockRequest request, List<Call> parts) {

	Call first() {
		return this.parts.get(0);
	}

	/**
	 * Return the call for one of the locks, of which nobody is told.
	 * @param index which one
	 * @return a new call
	 */
	Call untold(int index) {
		return this.parts.get(index).untold();
	}

	/**
	 * Return how much of the wait time is left.
	 * @param nowNanos the time
	 * @return nanoseconds; negative once it is over
	 */
	long leftNanos(long nowNanos) {
		return first().leftNanos(nowNanos);
	}

}
