package io.github.lockboot.engine;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.support.FencingTokens;

/**
 * A caller that holds a lock, or held it: what the engine knows of its hold. The state
 * changes under the mutex of the {@link LockQueue}; any thread may read it.
 */
final class Holder {

	/** One object for all holders instead of one for each. */
	private static final AtomicReferenceFieldUpdater<Holder, Notified> NOTIFIED = AtomicReferenceFieldUpdater
		.newUpdater(Holder.class, Notified.class, "notified");

	private final LockRequest request;

	/** The thread that acquired the lock; another thread may use the hold. */
	private final Thread thread;

	/** Absent if the kind of release depends on the method that releases the lock. */
	private final @Nullable LockRelease release;

	/** The length of a lease once the minimum hold time is over. */
	private final long usualLeaseMillis;

	private final Lease lease;

	private final long storeToken;

	private final long sinceNanos;

	private final List<LockListener> listeners;

	/** Of what the listeners have been notified. */
	private volatile Notified notified = Notified.OF_NOTHING;

	/** What to run after a loss. */
	private volatile List<Runnable> callbacks = List.of();

	private volatile boolean released;

	private volatile boolean downgraded;

	/** Whether the hold was released before the caller received it. */
	private volatile boolean discarded;

	private volatile @Nullable LockLostException loss;

	/** Present once the hold is lost. */
	private volatile @Nullable AtomicBoolean lossReported;

	/** Present once the hold was reported. */
	private volatile @Nullable Instant since;

	/** Present if others than the caller may drop the handle. */
	private volatile @Nullable WeakReference<LockHandle> closer;

	/** Present once the lock was granted. */
	private volatile @Nullable LockHandle handle;

	Holder(Waiter waiter, Lease lease, long storeToken, long sinceNanos) {
		this.request = waiter.request();
		this.thread = waiter.call().thread();
		this.release = waiter.release();
		this.usualLeaseMillis = waiter.usualLeaseMillis();
		this.lease = lease;
		this.listeners = waiter.call().listeners();
		this.storeToken = storeToken;
		this.sinceNanos = sinceNanos;
	}

	String name() {
		return request().name();
	}

	LockRequest request() {
		return this.request;
	}

	Thread thread() {
		return this.thread;
	}

	@Nullable LockRelease release() {
		return this.release;
	}

	/** Return the length of the lease that the caller requested. */
	long leaseMillis(boolean leaseOfSession) {
		return Waiter.leaseMillis(this.request, this.usualLeaseMillis, leaseOfSession);
	}

	Lease lease() {
		return this.lease;
	}

	/** Return the fencing token as the store issued it. */
	long storeToken() {
		return this.storeToken;
	}

	long fencingToken(FencingTokens tokens) {
		return isShared() ? tokens.shared(this.storeToken) : tokens.exclusive(this.storeToken);
	}

	/** Return the id of the holder in the store. */
	String owner() {
		return this.lease.attempt().id();
	}

	void handle(LockHandle handle) {
		this.handle = handle;
	}

	/** Return what the caller received. */
	LockHandle handle() {
		LockHandle handle = this.handle;
		if (handle == null) {
			throw new IllegalStateException("Lock '" + name() + "' is not granted yet");
		}
		return handle;
	}

	// ---- times

	long sinceNanos() {
		return this.sinceNanos;
	}

	/**
	 * Return since when the lock is held, the same in each report.
	 * @param now the present, as {@code nowNanos}
	 */
	Instant since(Instant now, long nowNanos) {
		Instant since = this.since;
		if (since == null) {
			since = now.minusNanos(nowNanos - this.sinceNanos);
			this.since = since;
		}
		return since;
	}

	boolean isRenewed() {
		return !Boolean.FALSE.equals(this.request.renew());
	}

	/** Return until when the lock stays held even if the caller releases it before. */
	long keptUntilNanos() {
		Duration minimum = request().minHoldTime();
		return (minimum != null && !this.discarded) ? this.sinceNanos + minimum.toNanos() : this.sinceNanos;
	}

	/**
	 * Return the length of the next renewal: a lease that began longer, to cover the
	 * minimum hold time, covers only the rest of that time.
	 */
	long renewalMillis(long nowNanos) {
		long leaseMillis = this.lease.attempt().leaseMillis();
		if (request().minHoldTime() == null || leaseMillis <= this.usualLeaseMillis) {
			return leaseMillis;
		}
		long restMillis = 1 + TimeUnit.NANOSECONDS.toMillis(keptUntilNanos() - nowNanos);
		return Math.min(leaseMillis, Math.max(this.usualLeaseMillis, restMillis));
	}

	/**
	 * Return for how long this JVM keeps the lock after the last holder has released it.
	 */
	long retainNanos() {
		Duration time = request().retainTime();
		return (time != null && !this.discarded) ? time.toNanos() : 0;
	}

	/** Return how long the lock may still be held. */
	long millisToMaximum(long nowNanos) {
		Duration maximum = request().maxHoldTime();
		return (maximum != null) ? maximum.toMillis() - TimeUnit.NANOSECONDS.toMillis(nowNanos - this.sinceNanos)
				: Long.MAX_VALUE;
	}

	/** Return why the lock is at risk, for example after a renewal that has failed. */
	String reasonOfRisk(@Nullable Throwable lastFailure, long nowNanos) {
		if (lastFailure != null) {
			return "its renewal failed: " + lastFailure;
		}
		if (!isRenewed()) {
			return "its lease is not renewed";
		}
		return (millisToMaximum(nowNanos) < this.lease.attempt().leaseMillis()) ? "its maximum hold time is nearly over"
				: "its renewal is " + TimeUnit.NANOSECONDS.toMillis(this.lease.overdueNanos(nowNanos)) + " ms late";
	}

	/**
	 * Return whether the maximum hold time is over, minus the allowance for drift.
	 */
	boolean isTooLong(long nowNanos) {
		Duration maximum = request().maxHoldTime();
		return maximum != null
				&& (nowNanos - this.sinceNanos) >= maximum.toNanos() / 100 * 98 - TimeUnit.MILLISECONDS.toNanos(5);
	}

	// ---- states

	State state() {
		return (this.loss != null) ? State.LOST : this.released ? State.RELEASED : State.HELD;
	}

	boolean isHeld() {
		return this.loss == null && !this.released;
	}

	/** Note that the caller shares the lock from now on. */
	void downgrade() {
		this.downgraded = true;
	}

	boolean isDowngraded() {
		return this.downgraded;
	}

	/** Return whether others may share the lock with this holder. */
	boolean isShared() {
		return this.downgraded || !request().isExclusive();
	}

	/** Note that the caller never received the hold, which has no minimum time then. */
	void discard() {
		this.discarded = true;
	}

	void released() {
		this.released = true;
	}

	/**
	 * Mark the hold as lost, and return the callbacks to run.
	 * @param reported whether the loss was reported, for all holders of the lease
	 */
	List<Runnable> lost(LockLostException loss, AtomicBoolean reported) {
		this.lossReported = reported;
		this.loss = loss;
		return this.callbacks;
	}

	@Nullable LockLostException loss() {
		return this.loss;
	}

	/**
	 * Return true once for a lost lease, since a loss is reported once, however many
	 * callers hold the lease.
	 */
	boolean isFirstToReportItsLoss() {
		AtomicBoolean reported = this.lossReported;
		return reported != null && reported.compareAndSet(false, true);
	}

	/** Register a callback, or return false if the hold is lost already. */
	boolean onLost(Runnable callback) {
		if (this.loss != null) {
			return false;
		}
		List<Runnable> all = new ArrayList<>(this.callbacks);
		all.add(callback);
		this.callbacks = all;
		return true;
	}

	void forget(Runnable callback) {
		List<Runnable> others = new ArrayList<>(this.callbacks);
		others.remove(callback);
		this.callbacks = others;
	}

	/** Note the only handle that can release this hold. */
	void closedBy(LockHandle closer) {
		this.closer = new WeakReference<>(closer);
	}

	/**
	 * Return whether nobody can release this hold, because an operator or a future has
	 * dropped the handle, and nobody wants to know of its loss.
	 */
	boolean isUnreachable() {
		WeakReference<LockHandle> closer = this.closer;
		return closer != null && closer.refersTo(null) && this.callbacks.isEmpty();
	}

	// ---- listeners

	/** Pass the hold to the caller, and return whether the hold has ended meanwhile. */
	boolean handOut() {
		return NOTIFIED.getAndUpdate(this, Notified::afterBeginning) != Notified.OF_NOTHING;
	}

	/**
	 * End the hold for the listeners, and return the listeners to notify; {@code null} if
	 * the listeners have been notified of the end already, or not yet of the beginning.
	 */
	@Nullable List<LockListener> endForListeners() {
		return (NOTIFIED.getAndUpdate(this, Notified::afterEnd) == Notified.OF_BEGINNING) ? this.listeners : null;
	}

	/**
	 * End the hold for the listeners by a loss, and return the listeners to notify, even
	 * after a release that did not wait for its reply; {@code null} if the caller never
	 * received the hold.
	 */
	@Nullable List<LockListener> loseForListeners() {
		Notified before = NOTIFIED.getAndUpdate(this, Notified::afterEnd);
		return (before == Notified.OF_BEGINNING || before == Notified.OF_END) ? this.listeners : null;
	}

	/**
	 * Return the listeners, or {@code null} if the caller has not received the hold yet
	 * or no longer has it.
	 */
	@Nullable List<LockListener> listeners() {
		return (this.notified == Notified.OF_BEGINNING) ? this.listeners : null;
	}

	/** Of what listeners have been notified. The end may come before the beginning. */
	private enum Notified {

		OF_NOTHING, OF_BEGINNING, OF_END, OF_NOTHING_AFTER_END;

		Notified afterBeginning() {
			return (this == OF_NOTHING) ? OF_BEGINNING : OF_END;
		}

		Notified afterEnd() {
			return (this == OF_NOTHING || this == OF_NOTHING_AFTER_END) ? OF_NOTHING_AFTER_END : OF_END;
		}

	}

	/** Whether a hold is one, and how it ended. */
	enum State {

		HELD, RELEASED, LOST

	}

}
