package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.Internal;
import io.github.lockboot.LockAction;
import io.github.lockboot.LockCallback;
import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockHandle;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockOperations;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.OnLost;

/**
 * {@link LockOperations} over any {@link LockStore}: the entry to the engine, and the
 * base of the template that a store's users see.
 *
 * @since 1.0.0
 */
@Internal
public class LockTemplate implements LockOperations, AutoCloseable {

	private final LockEngine engine;

	private final LockDefaults defaults;

	private final ThreadHolds threadHolds = new ThreadHolds();

	/**
	 * Create a template.
	 * @param store where leases are kept; closed with the template
	 * @param clock time and timers; closed with the template
	 * @param defaults what is used where a request says nothing
	 * @param listeners who is told, in order
	 */
	public LockTemplate(LockStore store, LockClock clock, LockDefaults defaults, List<LockListener> listeners) {
		this.engine = new LockEngine(store, clock, listeners);
		this.defaults = defaults;
	}

	@Override
	public <T extends @Nullable Object, X extends Throwable> T execute(LockRequest request, LockCallback<T, X> section)
			throws X {
		Hold outer = this.threadHolds.find(request.name());
		if (outer != null) {
			outer.ensureHeld();
			return new Section(outer, onLost(request), false).run(section);
		}
		return execute(acquireHold(request), request, section);
	}

	@Override
	@SuppressWarnings("NullAway") // Void is nullable by nature
	public <X extends Throwable> boolean tryExecute(LockRequest request, LockAction<X> section) throws X {
		LockCallback<@Nullable Void, X> callback = () -> {
			section.run();
			return null;
		};
		if (this.threadHolds.find(request.name()) != null) {
			execute(request, callback);
			return true;
		}
		Hold hold = tryAcquireHold(request);
		if (hold == null) {
			return false;
		}
		execute(hold, request, callback);
		return true;
	}

	@Override
	public LockHandle acquire(LockRequest request) {
		return acquireHold(request);
	}

	@Override
	public @Nullable LockHandle tryAcquire(LockRequest request) {
		return tryAcquireHold(request);
	}

	/**
	 * Let go of the store, the timers and their threads. Locks that are still held stay
	 * in the store until their leases end.
	 */
	@Override
	public void close() {
		this.engine.close();
	}

	private <T extends @Nullable Object, X extends Throwable> T execute(Hold hold, LockRequest request,
			LockCallback<T, X> section) throws X {
		this.threadHolds.enter(hold);
		try {
			return new Section(hold, onLost(request), true).run(section);
		}
		finally {
			this.threadHolds.leave();
		}
	}

	private Hold acquireHold(LockRequest request) {
		long startNanos = this.engine.clock().nanoTime();
		Outcome outcome = await(request, startNanos);
		if (outcome instanceof Hold hold) {
			this.engine.tellAcquired(hold, startNanos);
			return hold;
		}
		throw refused(request, outcome, startNanos);
	}

	private @Nullable Hold tryAcquireHold(LockRequest request) {
		long startNanos = this.engine.clock().nanoTime();
		Outcome outcome = await(request, startNanos);
		if (outcome instanceof Hold hold) {
			this.engine.tellAcquired(hold, startNanos);
			return hold;
		}
		LockException reason = refused(request, outcome, startNanos);
		if (reason instanceof LockNotAcquiredException) {
			return null;
		}
		throw reason;
	}

	private Outcome await(LockRequest request, long startNanos) {
		long waitNanos = nanos((request.waitTime() != null) ? request.waitTime() : this.defaults.waitTime());
		Duration lease = (request.leaseTime() != null) ? request.leaseTime() : this.defaults.leaseTime();
		Waiter waiter = new Waiter(request, lease.toMillis(), waitNanos == 0, startNanos);
		Lane lane = this.engine.submit(waiter);
		try {
			return await(waiter, lane, waitNanos);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			lane.leave(waiter);
			LockInterruptedException reason = new LockInterruptedException(request.name());
			this.engine.listeners().onNotAcquired(request, reason, this.engine.since(startNanos));
			throw reason;
		}
	}

	private static Outcome await(Waiter waiter, Lane lane, long waitNanos) throws InterruptedException {
		try {
			if (waitNanos > 0) {
				try {
					return waiter.get(waitNanos, TimeUnit.NANOSECONDS);
				}
				catch (TimeoutException ex) {
					lane.expire(waiter);
				}
			}
			return waiter.get(); // the answer to one try: bounded by the store's time
									// limit
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A waiter is never completed exceptionally", ex);
		}
	}

	private LockException refused(LockRequest request, Outcome outcome, long startNanos) {
		Duration waited = this.engine.since(startNanos);
		LockException reason;
		if (outcome instanceof Outcome.Failed failed) {
			reason = new LockUnavailableException(request.name(), "Lock '" + request.name()
					+ "' could not be taken: the store of the locks failed or did not answer within its time limit ("
					+ failed.cause().getMessage() + "); waited " + waited.toMillis() + " ms", failed.cause());
		}
		else {
			long remaining = (outcome instanceof Outcome.Busy busy) ? busy.remainingMillis() : -1;
			reason = new LockNotAcquiredException(request.name(), waited,
					(remaining >= 0) ? Duration.ofMillis(remaining) : null);
		}
		this.engine.listeners().onNotAcquired(request, reason, waited);
		return reason;
	}

	private OnLost onLost(LockRequest request) {
		return (request.onLost() != null) ? request.onLost() : this.defaults.onLost();
	}

	private static long nanos(Duration duration) {
		try {
			return duration.toNanos();
		}
		catch (ArithmeticException ex) {
			return Long.MAX_VALUE;
		}
	}

}
