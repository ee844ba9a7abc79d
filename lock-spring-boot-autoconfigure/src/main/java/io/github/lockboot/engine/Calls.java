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
		return begin(request, this.engine.clock().nanoTime());
	}

	/**
	 * Begin a call for a lock that is a part of a longer one.
	 * @param request what is asked for
	 * @param startNanos when its wait time began
	 * @return the call, of which the listeners know
	 */
	Call begin(LockRequest request, long startNanos) {
		requireSupported(request);
		return new Call(request, startNanos, waitNanos(request), this.engine.listeners().onRequested(request));
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
	 * @param request what is asked for
	 * @param startNanos when
	 * @param triesOnce whether it goes away at the first answer
	 * @return the waiter
	 */
	Waiter waiter(LockRequest request, long startNanos, boolean triesOnce) {
		Duration lease = (request.leaseTime() != null) ? request.leaseTime() : this.defaults.leaseTime();
		return new Waiter(limited(request), lease.toMillis(), triesOnce, startNanos, this.threadHolds.any());
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
	 * End a call for several locks if the one try has failed that its caller wanted.
	 * @param joint the try
	 * @param request what was asked for
	 * @param startNanos when
	 * @throws LockException which names the lock that was not had
	 */
	void refuseUnlessPatient(JointTry joint, LockRequest request, long startNanos) {
		JointTry.Refusal refusal = joint.refusal();
		if (refusal != null && !joint.isUndecided() && leftNanos(request, startNanos) <= 0) {
			throw refuse(begin(refusal.request(), startNanos), refusal.outcome());
		}
	}

	/**
	 * Tell that several locks were had at once.
	 * @param holds a hold of each
	 * @param startNanos when they were asked for
	 */
	void tellAcquired(List<Hold> holds, long startNanos) {
		holds.forEach((hold) -> this.engine.tellAcquired(hold, begin(hold.request(), startNanos)));
	}

	private LockException reason(Call call, Outcome outcome) {
		String name = call.request().name();
		if (outcome instanceof Outcome.Failed failed) {
			return unavailable(name, "taken", failed.cause());
		}
		if (outcome instanceof Outcome.Stopping) {
			return new LockUnavailableException(name,
					"Lock '" + name + "' was not taken: the application stops, and gives out no more locks", null);
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

	/**
	 * Return how much of its wait time a call has left.
	 * @param request what was asked for
	 * @param startNanos when its wait time began
	 * @return nanoseconds; negative once it is over
	 */
	long leftNanos(LockRequest request, long startNanos) {
		long waitNanos = waitNanos(request);
		return (waitNanos == Long.MAX_VALUE) ? waitNanos : waitNanos - (this.engine.clock().nanoTime() - startNanos);
	}

	private long waitNanos(LockRequest request) {
		try {
			return ((request.waitTime() != null) ? request.waitTime() : this.defaults.waitTime()).toNanos();
		}
		catch (ArithmeticException ex) {
			return Long.MAX_VALUE;
		}
	}

	/** Return how long to wait without end before looking whether the store works. */
	long patienceMillis() {
		return Math.max(1, this.defaults.waitTime().toMillis());
	}

}
