package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

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
import io.github.lockboot.LockState;
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

	/** A lease that was over when its caller could begin, like one never taken. */
	private static final Outcome UNTIMELY = new Outcome.Busy(-1);

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
		ThreadHolds.Entry entry = this.threadHolds.find(request.name());
		if (entry != null) {
			entry.reenter(request);
		}
		else {
			entry = this.threadHolds.enter(acquireHold(request));
		}
		return new Section(this.threadHolds, entry, request, onLost(request)).run(section);
	}

	@Override
	@SuppressWarnings("NullAway") // Void is nullable by nature
	public <X extends Throwable> boolean tryExecute(LockRequest request, LockAction<X> section) throws X {
		ThreadHolds.Entry entry = this.threadHolds.find(request.name());
		if (entry != null) {
			entry.reenter(request);
		}
		else {
			Hold hold = tryAcquireHold(request);
			if (hold == null) {
				return false;
			}
			entry = this.threadHolds.enter(hold);
		}
		new Section(this.threadHolds, entry, request, onLost(request)).<@Nullable Void, X>run(() -> {
			section.run();
			return null;
		});
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

	@Override
	public CompletionStage<LockHandle> acquireAsync(LockRequest request) {
		return submitAsync(request, false);
	}

	@Override
	@SuppressWarnings("NullAway") // a stage of null where it was asked for
	public CompletionStage<@Nullable LockHandle> tryAcquireAsync(LockRequest request) {
		return submitAsync(request, true);
	}

	@Override
	public Lock asLock(LockRequest request) {
		return new LockView(this, this.threadHolds, request);
	}

	@Override
	public ReadWriteLock asReadWriteLock(String name) {
		LockRequest request = LockRequest.of(name);
		return new ReadWriteLockView(asLock(request.shared()), asLock(request));
	}

	@Override
	public void requireSupported(LockRequest request) {
		if (!request.isExclusive() && !request.isShared() && !this.engine.store().countsPermits()) {
			throw new UnsupportedOperationException("Lock '" + request.name() + "' can't have " + request.permits()
					+ " permits: its store (Redlock) does not count who shares a lock. Take it alone, or shared by"
					+ " any number, or keep semaphores in one Redis");
		}
	}

	@Override
	public void ensureHeld(String name) {
		ThreadHolds.Entry entry = this.threadHolds.find(name);
		if (entry == null) {
			throw new IllegalStateException("Lock '" + name + "' is not held by a section of thread '"
					+ Thread.currentThread().getName() + "'");
		}
		entry.hold().ensureHeld();
	}

	@Override
	public LockState inspect(String name) {
		return ask(name, "inspected", this.engine.store().inspect(named(name)));
	}

	@Override
	public boolean forceRelease(String name) {
		return ask(name, "taken away", this.engine.store().forceRelease(named(name)));
	}

	/**
	 * Let go of the store, the timers and their threads. Locks that are still held stay
	 * in the store until their leases end.
	 */
	@Override
	public void close() {
		this.engine.close();
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

	@Nullable Hold tryAcquireHold(LockRequest request) {
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
		long waitNanos = waitNanos(request);
		Outcome outcome = await(request, startNanos, waitNanos);
		while (isStale(outcome)) {
			long leftNanos = leftNanos(waitNanos, startNanos);
			outcome = (leftNanos > 0) ? await(request, startNanos, leftNanos) : UNTIMELY;
		}
		return outcome;
	}

	private Outcome await(LockRequest request, long startNanos, long waitNanos) {
		Waiter waiter = waiter(request, waitNanos, startNanos);
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

	private Outcome await(Waiter waiter, Lane lane, long waitNanos) throws InterruptedException {
		try {
			if (waitNanos == Long.MAX_VALUE) {
				return awaitWithoutEnd(waiter, lane);
			}
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

	/** Wait for a busy lock for ever, but not for a store that fails all the time. */
	private Outcome awaitWithoutEnd(Waiter waiter, Lane lane) throws InterruptedException, ExecutionException {
		while (true) {
			try {
				return waiter.get(Math.max(1, this.defaults.waitTime().toMillis()), TimeUnit.MILLISECONDS);
			}
			catch (TimeoutException ex) {
				lane.expireIfFailing(waiter);
			}
		}
	}

	/**
	 * Whether the caller stood still for so long that its lease is over before it could
	 * begin.
	 */
	private static boolean isStale(Outcome outcome) {
		if (outcome instanceof Hold hold && !hold.isHeld()) {
			hold.closeAsync();
			return true;
		}
		return false;
	}

	private long leftNanos(long waitNanos, long startNanos) {
		return (waitNanos == Long.MAX_VALUE) ? waitNanos : waitNanos - (this.engine.clock().nanoTime() - startNanos);
	}

	private <T extends @Nullable LockHandle> CompletionStage<T> submitAsync(LockRequest request, boolean nullIfBusy) {
		CompletableFuture<T> result = new CompletableFuture<>();
		submitAsync(result, request, this.engine.clock().nanoTime(), waitNanos(request), nullIfBusy);
		return result;
	}

	private <T extends @Nullable LockHandle> void submitAsync(CompletableFuture<T> result, LockRequest request,
			long startNanos, long waitNanos, boolean nullIfBusy) {
		Waiter waiter = waiter(request, waitNanos, startNanos);
		Lane lane = this.engine.submit(waiter);
		LockClock.Timer limit = (waitNanos > 0 && waitNanos < Long.MAX_VALUE && !waiter.isDone())
				? this.engine.clock().schedule(startNanos + waitNanos, () -> lane.expire(waiter)) : null;
		waiter.whenCompleteAsync((outcome, failure) -> {
			if (limit != null) {
				limit.cancel();
			}
			boolean stale = isStale(outcome);
			if (stale && leftNanos(waitNanos, startNanos) > 0) {
				submitAsync(result, request, startNanos, waitNanos, nullIfBusy);
			}
			else {
				complete(result, stale ? UNTIMELY : outcome, request, startNanos, nullIfBusy);
			}
		}, this.engine::callBack);
		result.whenComplete((handle, failure) -> {
			if (result.isCancelled()) {
				this.engine.callBack(() -> lane.leave(waiter));
			}
		});
	}

	@SuppressWarnings({ "unchecked", "NullAway" }) // T is nullable where null is asked
													// for
	private <T extends @Nullable LockHandle> void complete(CompletableFuture<T> result, Outcome outcome,
			LockRequest request, long startNanos, boolean nullIfBusy) {
		if (outcome instanceof Hold hold) {
			this.engine.tellAcquired(hold, startNanos);
			if (!result.complete((T) hold)) {
				hold.closeAsync(); // cancelled meanwhile
			}
			return;
		}
		LockException reason = refused(request, outcome, startNanos);
		if (nullIfBusy && reason instanceof LockNotAcquiredException) {
			result.complete(null);
		}
		else {
			result.completeExceptionally(reason);
		}
	}

	private Waiter waiter(LockRequest request, long waitNanos, long startNanos) {
		requireSupported(request);
		Duration lease = (request.leaseTime() != null) ? request.leaseTime() : this.defaults.leaseTime();
		return new Waiter(limited(request), lease.toMillis(), waitNanos == 0, startNanos);
	}

	/** The request with its longest hold, or {@code null} in it for no limit. */
	private LockRequest limited(LockRequest request) {
		Duration wanted = (request.maxHoldTime() != null) ? request.maxHoldTime() : this.defaults.maxHoldTime();
		Duration limit = (wanted == null || wanted.isZero()) ? null : wanted;
		return (limit == request.maxHoldTime()) ? request : request.maxHoldTime(limit);
	}

	private LockException refused(LockRequest request, Outcome outcome, long startNanos) {
		Duration waited = this.engine.since(startNanos);
		LockException reason;
		if (outcome instanceof Outcome.Failed failed) {
			reason = unavailable(request.name(), "taken", failed.cause());
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

	private long waitNanos(LockRequest request) {
		try {
			return ((request.waitTime() != null) ? request.waitTime() : this.defaults.waitTime()).toNanos();
		}
		catch (ArithmeticException ex) {
			return Long.MAX_VALUE;
		}
	}

	private static <T> T ask(String name, String what, CompletionStage<T> answer) {
		try {
			return answer.toCompletableFuture().join();
		}
		catch (CompletionException ex) {
			throw unavailable(name, what, (ex.getCause() != null) ? ex.getCause() : ex);
		}
	}

	private static LockUnavailableException unavailable(String name, String what, Throwable cause) {
		return new LockUnavailableException(name,
				"Lock '" + name + "' could not be " + what
						+ ": the store of the locks failed or did not answer within its time limit ("
						+ cause.getMessage() + ")",
				cause);
	}

	private static String named(String name) {
		Assert.hasText(name, "The name of a lock must not be blank");
		return name;
	}

}
