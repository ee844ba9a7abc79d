package io.github.lockboot.engine;

import io.github.lockboot.LockRequest;

/**
 * One call for a lock until it has its answer.
 *
 * @param request what is asked for
 * @param startNanos when
 * @param waitNanos how long to wait; {@link Long#MAX_VALUE} without end
 * @param listeners who is told of this call
 */
record Call(LockRequest request, long startNanos, long waitNanos, ListenerGuard listeners) {

	/**
	 * Return how much of the wait time is left.
	 * @param nowNanos the time
	 * @return nanoseconds; negative once it is over
	 */
	long leftNanos(long nowNanos) {
		return (this.waitNanos == Long.MAX_VALUE) ? this.waitNanos : this.waitNanos - (nowNanos - this.startNanos);
	}

}
