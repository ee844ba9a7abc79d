package io.github.lockboot.engine;

import java.util.List;

import io.github.lockboot.LockListener;
import io.github.lockboot.LockRequest;

/**
 * Waiters for the engine.
 */
final class Waiters {

	private Waiters() {
	}

	/** A caller without listeners. */
	static Waiter of(LockEngine engine, LockRequest request, long leaseMillis, boolean triesOnce) {
		return new Waiter(call(engine, request, List.of()), request, leaseMillis, false, request.release(), triesOnce);
	}

	static Waiter.Call call(LockEngine engine, LockRequest request, List<LockListener> listeners) {
		long waitNanos = (request.waitTime() != null) ? request.waitTime().toNanos() : Long.MAX_VALUE;
		return new Waiter.Call(request, engine.clock().nanoTime(), waitNanos, Thread.currentThread(), false, listeners);
	}

}
