package io.github.lockboot.engine;

import java.util.List;

import io.github.lockboot.LockRequest;

/**
 * One call for a lock until it has its answer.
 *
 * @param request what is asked for
 * @param startNanos when
 * @param waitNanos how long to wait; {@link Long#MAX_VALUE} without end
 * @param thread whose call it is
 * @param ofSection whether that thread runs a section under another lock, which it can't
 * end without this one
 * @param listeners who is told of this call
 */
record LockCall(LockRequest request, long startNanos, long waitNanos, Thread thread, boolean ofSection,
		CompositeLockListener listeners) {

	/** Return how much of the wait time is left; negative once it is over. */
	long leftNanos(long nowNanos) {
		return (this.waitNanos == Long.MAX_VALUE) ? this.waitNanos : this.waitNanos - (nowNanos - this.startNanos);
	}

	/** The same call, of which nobody is told. */
	LockCall untold() {
		return new LockCall(this.request, this.startNanos, this.waitNanos, this.thread, this.ofSection,
				new CompositeLockListener(List.of()));
	}

}
