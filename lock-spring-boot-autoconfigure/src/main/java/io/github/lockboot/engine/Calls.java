package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;

/**
 * How calls for locks begin, with the defaults where they say nothing, and how they end
 * without a lock. Thread-safe.
 */
final class Calls {

	/** A lease that was over when its caller could begin, like one never taken. */
	static final Outcome UNTIMELY = new Outcome.Busy(-1);

	private final LockEngine engine;

	private final LockDefaults defaults;

	private final ThreadHolds threadHolds;

	Calls(LockEngine engine, LockDefaults defaults, ThreadHolds threadHolds) {
		this.engine = engine;
		this.defaults = defaults;
		this.threadHolds = threadHolds;
	}

	/**
	 * Begin a call for a lock.
	 * @param request what is asked for
	 * @return the call, of which the listeners know
	 */
	Call begin(LockRequest request) {
		requireSupported(request);
		return begin(request, this.engine.clock().nanoTime());
	}

	/**
	 * Begin a call for several locks.
	 * @param request what is asked for
	 * @return a call for each lock, in order, of which the listeners know
	 */
	List<Call> beginAll(LockRequest request) {
		requireSupported(request);
		long startNanos = this.engine.clock().nanoTime();
		return request.names().stream().map((name) -> begin(request.name(name), startNanos)).toList();
	}

	private Call begin(LockRequest request, long startNanos) {
		return new Call(request, startNanos, waitNanos(request), Thread.currentThread(), this.threadHolds.any(),
				this.engine.listeners().onRequested(request));
	}

	/**
	 * Throw if the store can never give what is asked for.
	 * @param request what is asked for
	 */
	void requireSupported(LockRequest request) {
		if (!request.isExclusive() && !request.isShared() && !this.engine.store().countsPermits()) {
			throw new UnsupportedOperationException("Lock '" + request.name() + "' can't have " + request.permits()
					+ " permits: its store (Redlock) does not count who shares a lock. Take it alone, or shared by"
					+ " any number, or keep semaphores in one Redis");
		}
	}

	/**
	 * Return who is to wait.
	 * @param call whose call it is
	 * @param triesOnce whether it goes away at the first answer
	 * @return the waiter
	 */
	Waiter waiter(Call call, boolean triesOnce) {
		return new Waiter(call, limited(call.request()), leaseMillis(call.request()), triesOnce);
	}

	private long leaseMillis(LockRequest request) {
		return ((request.leaseTime() != null) ? request.leaseTime() : this.defaults.leaseTime()).toMillis();
	}

	/** The request with its longest hold, or {@code null} in it for no limit. */
	private LockRequest limited(LockRequest request) {
		Duration wanted = (request.maxHoldTime() != null) ? request.maxHoldTime() : this.defaults.maxHoldTime();
		Duration limit = (wanted == null || wanted.isZero()) ? null : wanted;
		return (limit == request.maxHoldTime()) ? request : request.maxHoldTime(limit);
	}

	/**
	 * End a call that got no lock.
	 * @param call the call
	 * @param outcome why
	 * @return what to throw, of which the listeners know
	 */
	LockException refuse(Call call, Outcome outcome) {
		return refuse(call, reason(call, outcome));
	}

	LockException refuse(Call call, LockException reason) {
		call.listeners().onNotAcquired(call.request(), reason, this.engine.since(call.startNanos()));
		return reason;
	}

	/**
	 * Return why a call got no lock.
	 * @param call the call
	 * @param outcome what it got instead
	 * @return what to throw, of which nobody is told yet
	 */
	LockException reason(Call call, Outcome outcome) {
		String name = call.request().name();
		if (outcome instanceof Outcome.Failed failed) {
			return unavailable(name, "taken", failed.cause());
		}
		if (outcome instanceof Outcome.Stopping stopping) {
			return new LockUnavailableException(name, "Lock '" + name + "' was not taken: " + stopping.reason(), null);
		}
		long remaining = (outcome instanceof Outcome.Busy busy) ? busy.remainingMillis() : -1;
		return new LockNotAcquiredException(name, this.engine.since(call.startNanos()), millis(remaining));
	}

	private static @Nullable Duration millis(long remaining) {
		return (remaining >= 0) ? Duration.ofMillis(remaining) : null;
	}

	static LockUnavailableException unavailable(String name, String what, Throwable cause) {
		return new LockUnavailableException(name,
				"Lock '" + name + "' could not be " + what
						+ ": the store of the locks failed or did not answer within its time limit ("
						+ cause.getMessage() + ")",
				cause);
	}

	private long waitNanos(LockRequest request) {
		try {
			return ((request.waitTime() != null) ? request.waitTime() : this.defaults.waitTime()).toNanos();
		}
		catch (ArithmeticException ex) {
			return Long.MAX_VALUE;
		}
	}

	/** Return for how long a store fails before nobody waits for it without end. */
	long patienceMillis() {
		return Math.max(1, this.defaults.waitTime().toMillis());
	}

}
