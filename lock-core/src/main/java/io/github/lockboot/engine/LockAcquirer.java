package io.github.lockboot.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockDefaults;
import io.github.lockboot.LockException;
import io.github.lockboot.LockInterruptedException;
import io.github.lockboot.LockNotAcquiredException;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.LockState;
import io.github.lockboot.LockUnavailableException;
import io.github.lockboot.OnLost;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.engine.store.StoreTraits;
import io.github.lockboot.engine.support.LockHolders;

/**
 * Acquires one lock on the thread that waits for it. The acquirer begins the call, with
 * the defaults where the request has no value, tries again if the lease is over before
 * the caller could begin, and ends the call with a hold or an exception. An
 * {@link Acquisition} also begins and ends its calls here. Thread-safe.
 */
final class LockAcquirer {

	private static final Log logger = LogFactory.getLog(LockAcquirer.class);

	private static final Duration MOST_NANOS = Duration.ofNanos(Long.MAX_VALUE);

	/** The outcome if the lease is over before the caller could begin. */
	static final Outcome UNTIMELY = new Outcome.Busy(-1);

	private final LockEngine engine;

	private final LockDefaults defaults;

	/** Whether the current thread runs a section under another lock. */
	private final BooleanSupplier insideSection;

	private final StoreTraits traits;

	private final boolean leaseOfSession;

	private final boolean blocking;

	private final LockHolders holders;

	/** Whether the warning about a store without an order of requests has been logged. */
	private final AtomicBoolean unfair = new AtomicBoolean();

	LockAcquirer(LockEngine engine, LockDefaults defaults, BooleanSupplier insideSection) {
		this.engine = engine;
		this.traits = engine.store().traits();
		this.leaseOfSession = this.traits.leases() == StoreTraits.Leases.SESSION;
		this.blocking = this.traits.blocking();
		this.defaults = defaults;
		this.insideSection = insideSection;
		this.holders = new LockHolders(engine.store(), engine.clock(), defaults, engine::activity, engine::attempts,
				engine::isAttempting);
	}

	LockHolders holders() {
		return this.holders;
	}

	LockEngine engine() {
		return this.engine;
	}

	// ---- calls

	/** Begin a call, and notify the listeners. */
	Waiter.Call begin(LockRequest request) {
		requireSupported(request);
		this.engine.store().requireName(request.name());
		return begin(request, now());
	}

	/** Begin a call for each of several locks, in order. */
	List<Waiter.Call> beginAll(LockRequest request) {
		requireSupported(request);
		request.names().forEach(this.engine.store()::requireName);
		long startNanos = now();
		return request.names().stream().map((name) -> begin(request.name(name), startNanos)).toList();
	}

	private Waiter.Call begin(LockRequest request, long startNanos) {
		return new Waiter.Call(request, startNanos, waitNanos(request), Thread.currentThread(),
				this.insideSection.getAsBoolean(), this.engine.notifier().requested(request));
	}

	void requireSupported(LockRequest request) {
		if (!request.isExclusive()) {
			requireSharing(request);
		}
		if (this.leaseOfSession) {
			requireLeaseOfSession(request);
		}
		if (request.fair() && this.traits.waiting() != StoreTraits.Waiting.GRANTS && !this.unfair.getAndSet(true)) {
			logger.warn("Lock '" + request.name() + "' is requested with 'fair', but in " + this.traits.store()
					+ " waiters have no order: callers acquire the lock in any order, and more slowly than"
					+ " without 'fair'. Omit 'fair', or keep the lock in a single Redis. This warning"
					+ " is logged once");
		}
	}

	private void requireSharing(LockRequest request) {
		if (!this.traits.kinds().contains(request.isShared() ? StoreTraits.Kind.SHARED : StoreTraits.Kind.PERMITS)) {
			throw new UnsupportedOperationException("Lock '" + request.name() + "' can't "
					+ (request.isShared() ? "be shared" : "have " + request.permits() + " permits") + ": its store ("
					+ this.traits.store() + ") does not count the holders of a lock. Acquire it exclusively"
					+ (request.isShared() ? "" : ", or shared by any number") + ", or keep semaphores in one Redis");
		}
	}

	private void requireLeaseOfSession(LockRequest request) {
		boolean fixed = Boolean.FALSE.equals(request.renew());
		boolean other = request.leaseTime() != null && !request.leaseTime().equals(this.defaults.leaseTime());
		if (fixed || other) {
			throw new UnsupportedOperationException("Lock '" + request.name() + "' can't have "
					+ (fixed ? "a lease that is not renewed" : "its own lease time") + ": its store ("
					+ this.traits.store() + ") has one lease for all locks of an instance, the lease of the session."
					+ (fixed ? " Limit the hold by maxHoldTime instead"
							: " Omit the lease time, or change the timeout of the session for all locks"));
		}
	}

	/** Return a waiter that leaves when the wait time is over. */
	Waiter waiter(Waiter.Call call, boolean triesOnce) {
		LockRequest request = call.request();
		LockRequest limited = limited(request);
		Duration lease = (request.leaseTime() != null) ? request.leaseTime() : this.defaults.leaseTime();
		Waiter waiter = new Waiter(call, limited, lease.toMillis(), this.leaseOfSession, release(request), triesOnce);
		if (call.waitNanos() == Long.MAX_VALUE) {
			long patienceNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(1, this.defaults.waitTime().toMillis()));
			waiter.waitPatiently(patienceNanos, now());
		}
		else if (leftNanos(call) > 0) {
			waiter.waitUntil(call.startNanos() + call.waitNanos());
		}
		return waiter;
	}

	/**
	 * Return the request with the defaults of what is checked later. A limit of more than
	 * 292 years counts as no limit.
	 */
	private LockRequest limited(LockRequest request) {
		Duration wanted = (request.maxHoldTime() != null) ? request.maxHoldTime() : this.defaults.maxHoldTime();
		Duration limit = (wanted == null || wanted.isZero() || wanted.compareTo(MOST_NANOS) > 0) ? null : wanted;
		LockRequest limited = (limit == request.maxHoldTime()) ? request : request.maxHoldTime(limit);
		boolean retainsByDefault = request.retainTime() == null && this.defaults.retainTime() != null;
		limited = retainsByDefault ? limited.retainTime(this.defaults.retainTime()) : limited;
		boolean refusesByDefault = request.maxWaiting() == null && this.defaults.maxWaiting() != null;
		return refusesByDefault ? limited.maxWaiting(this.defaults.maxWaiting()) : limited;
	}

	private @Nullable LockRelease release(LockRequest request) {
		if (onLost(request) != OnLost.LOG) {
			return LockRelease.CONFIRMED;
		}
		LockRelease release = (request.release() != null) ? request.release() : this.defaults.release();
		boolean needsReply = Boolean.FALSE.equals(request.renew()) || request.minHoldTime() != null;
		return (release == null && needsReply) ? LockRelease.CONFIRMED : release;
	}

	OnLost onLost(LockRequest request) {
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

	/**
	 * Acquire a lock, or throw.
	 * @param interruptible whether an interrupt ends the wait; otherwise the interrupt
	 * flag is set afterwards
	 */
	Hold acquire(LockRequest request, boolean interruptible) {
		Waiter.Call call = begin(request);
		if (interruptible && Thread.currentThread().isInterrupted()) {
			throw refuse(call, new LockInterruptedException(request.name()));
		}
		Outcome outcome;
		try {
			outcome = await(call, interruptible);
			while (isStale(outcome)) {
				outcome = (leftNanos(call) > 0) ? await(call, interruptible) : UNTIMELY;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw refuse(call, new LockInterruptedException(request.name()));
		}
		catch (RuntimeException | Error ex) {
			refuse(call, unavailable(request.name(), "acquired", ex));
			throw ex;
		}
		return complete(call, outcome);
	}

	/** Wait for the outcome; the {@link LockMachine} ends the wait in time. */
	private Outcome await(Waiter.Call call, boolean interruptible) throws InterruptedException {
		long leftNanos = leftNanos(call);
		Waiter waiter = waiter(call, leftNanos <= 0);
		if (this.blocking) {
			waiter.blockFor((leftNanos <= 0) ? Long.MAX_VALUE : leftNanos);
		}
		boolean interrupted = !interruptible && Thread.interrupted();
		LockQueue queue = this.engine.submit(waiter);
		try {
			return interruptible ? FutureWait.get(waiter) : FutureWait.join(waiter);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A waiter is never completed exceptionally", ex);
		}
		catch (InterruptedException | RuntimeException | Error ex) {
			queue.leave(waiter);
			throw ex;
		}
		finally {
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	// ---- ends

	private Hold complete(Waiter.Call call, Outcome outcome) {
		if (outcome instanceof Hold hold) {
			this.engine.notifier().acquired(hold.holder(), call);
			return hold;
		}
		// limited also by another clock, because the engine may be closed meanwhile
		CompletableFuture<List<LockState.Holder>> heldBy = holders(call, outcome);
		boolean known = FutureWait.await(heldBy, Duration.ofSeconds(1));
		throw refuse(call, reason(call, outcome, known ? heldBy.join() : List.of()));
	}

	/**
	 * Return whether the lease was over before the caller could begin, and release the
	 * lock if so.
	 */
	static boolean isStale(Outcome outcome) {
		if (outcome instanceof Hold hold && !hold.isHeld()) {
			hold.discard();
			return true;
		}
		return false;
	}

	/** Notify the listeners of a call that got no lock, and return the exception. */
	LockException refuse(Waiter.Call call, LockException reason) {
		this.engine.notifier().notAcquired(call, reason);
		return reason;
	}

	/** Return who holds a busy lock for which a call has waited in vain. */
	CompletableFuture<List<LockState.Holder>> holders(Waiter.Call call, Outcome outcome) {
		return isInVain(call, outcome) ? this.holders.ofBusy(call.request().name())
				: CompletableFuture.completedFuture(List.of());
	}

	private static boolean isInVain(Waiter.Call call, Outcome outcome) {
		return outcome instanceof Outcome.Busy && outcome != UNTIMELY && call.waitNanos() > 0;
	}

	/** Return why a call got no lock. */
	LockException reason(Waiter.Call call, Outcome outcome, List<LockState.Holder> heldBy) {
		String name = call.request().name();
		if (outcome instanceof Outcome.Failed failed) {
			this.engine.store().callFailed(name);
			return unavailable(name, "acquired", failed.cause());
		}
		if (outcome instanceof Outcome.Stopping stopping) {
			return new LockUnavailableException(name, "Lock '" + name + "' was not acquired: " + stopping.reason(),
					null);
		}
		if (outcome instanceof Outcome.TooManyWaiting refusal) {
			return LockNotAcquiredException.tooManyWaiting(name, since(call), refusal.maxWaiting());
		}
		// a session goes on
		boolean ends = this.traits.leases() == StoreTraits.Leases.LOCK;
		long remaining = (ends && outcome instanceof Outcome.Busy busy) ? busy.remainingMillis() : -1;
		LockNotAcquiredException reason = new LockNotAcquiredException(name, since(call),
				(remaining >= 0) ? Duration.ofMillis(remaining) : null, heldBy);
		if (isInVain(call, outcome)) {
			logger.debug(reason.getMessage());
		}
		return reason;
	}

	static LockUnavailableException unavailable(String name, String what, Throwable cause) {
		return new LockUnavailableException(name,
				"Lock '" + name + "' could not be " + what
						+ ": the lock store failed or did not reply within its time limit (" + cause.getMessage() + ")",
				cause);
	}

	long leftNanos(Waiter.Call call) {
		return call.leftNanos(now());
	}

	private Duration since(Waiter.Call call) {
		return Duration.ofNanos(now() - call.startNanos());
	}

	private long now() {
		return this.engine.clock().nanoTime();
	}

}
