package io.github.lockboot.engine;

import io.github.lockboot.LockRequest;

/**
 * Callers as an engine sees them, of whom nobody is told.
 */
final class Waiters {

	private Waiters() {
	}

	static Waiter of(LockEngine engine, LockRequest request, long leaseMillis, boolean triesOnce) {
		return new Waiter(call(engine, request), request, leaseMillis, triesOnce);
	}

	static Waiter.Call call(LockEngine engine, LockRequest request) {
		return new Waiter.Call(request, engine.clock().nanoTime(), 0, Thread.currentThread(), false,
				engine.notifier().listeners());
	}

}
