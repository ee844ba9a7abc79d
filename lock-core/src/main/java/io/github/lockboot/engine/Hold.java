package io.github.lockboot.engine;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockListener;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.FutureWait;
import io.github.lockboot.engine.store.FencingTokens;

/**
 * One caller's hold of a lock. Only its {@link HeldLease} changes its state. Thread-safe.
 */
final class Hold implements LockHandle, Outcome {

	/**
	 * Replaces the listeners once they have been notified of the end, or if the end came
	 * before the beginning.
	 */
	private static final List<LockListener> ENDED = Collections.unmodifiableList(new ArrayList<>());

	private final HeldLease held;

	private final Lease lease;

	private final LockRequest request;

	private final @Nullable LockRelease release;

	private final Thread thread;

	private final FencingTokens tokens;

	private final long storeToken;

	private final long sinceNanos;

	private final long usualLeaseMillis;

	/** Present once the hold was reported. */
	private volatile @Nullable Instant since;

	private final ReentrantLock mutex = new ReentrantLock();

	private volatile State state = State.HELD;

	private volatile boolean downgraded;

	/** Whether the hold was released before the caller received it. */
	private volatile boolean discarded;

	private volatile @Nullable LockLostException loss;

	/** Present if others than the caller may drop the handle. */
	private volatile @Nullable WeakReference<LockHandle> handle;

	/** Guarded by the mutex of this hold. */
	private @Nullable List<Runnable> callbacks;

	/** Present once the caller has received the hold. */
	private final AtomicReference<@Nullable List<LockListener>> listeners = new AtomicReference<>();

	/**
	 * Present once the caller has received the hold; published by the reference to the
	 * listeners.
	 */
	private @Nullable List<LockListener> lossListeners;

	Hold(HeldLease held, Waiter waiter, FencingTokens tokens, long storeToken, long sinceNanos) {
		this.held = held;
		this.lease = held.lease();
		this.request = waiter.request();
		this.release = waiter.release();
		this.thread = waiter.call().thread();
		this.tokens = tokens;
		this.storeToken = storeToken;
		this.sinceNanos = sinceNanos;
		this.usualLeaseMillis = waiter.usualLeaseMillis();
	}

	// ---- the handle of the caller

	@Override
	public String name() {
		return this.request.name();
	}

	@Override
	public long fencingToken() {
		return isShared() ? this.tokens.shared(this.storeToken) : this.tokens.exclusive(this.storeToken);
	}

	@Override
	public boolean isHeld() {
		return this.state == State.HELD && !this.held.isInDoubt()
				&& this.lease.remainingNanos(this.held.nanoTime()) > 0;
	}

	@Override
	public Duration remainingLease() {
		return (this.state == State.HELD && !this.held.isInDoubt())
				? Duration.ofNanos(this.lease.remainingNanos(this.held.nanoTime())) : Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		if (isHeld() || isConfirmed()) {
			return;
		}
		LockLostException loss = loss();
		if (loss != null) {
			throw loss;
		}
		if (this.state == State.RELEASED) {
			throw new IllegalStateException("Lock '" + name() + "' was already released");
		}
		throw overtaken("this JVM or its machine stood still, and the store does not confirm the hold");
	}

	/** Ask the store in doubt, and return whether it confirms the hold. */
	private boolean isConfirmed() {
		if (this.state == State.HELD && this.held.isInDoubt()) {
			long askedNanos = this.held.nanoTime();
			await(renew());
			return this.state == State.HELD && this.lease.isConfirmedSince(askedNanos);
		}
		return false;
	}

	@Override
	public @Nullable LockLostException loss() {
		loseIfOver();
		return this.loss;
	}

	@Override
	public void onLost(Runnable callback) {
		Assert.notNull(callback, () -> "The callback for the loss of lock '" + name() + "' must not be null");
		this.mutex.lock();
		try {
			if (this.loss == null) {
				if (this.callbacks == null) {
					this.callbacks = new ArrayList<>(1);
				}
				this.callbacks.add(callback);
				return;
			}
		}
		finally {
			this.mutex.unlock();
		}
		this.held.callBack(callback);
	}

	@Override
	public void close() {
		release(true);
	}

	@Override
	public CompletionStage<Void> closeAsync() {
		boolean confirmed = isConfirmed(false);
		CompletableFuture<Void> released = new CompletableFuture<>();
		LockNotifier notifier = this.held.notifier();
		if (!end(released)) {
			return CompletableFuture.completedStage(null);
		}
		if (confirmed) {
			// a copy, because a caller that cancels it must not cancel the notification
			return released.thenRunAsync(() -> notifier.released(this), notifier::deliver).copy();
		}
		notifier.released(this);
		return CompletableFuture.completedStage(null);
	}

	@Override
	public String toString() {
		return "Hold of lock '" + name() + "' with token " + fencingToken() + ", "
				+ this.state.name().toLowerCase(Locale.ROOT);
	}

	// ---- for the engine

	/**
	 * Share the lock from now on, and wait until the store has replied or failed to
	 * reply. After a failure the lock stays exclusive in the store, which does no harm.
	 */
	void downgrade() {
		await(downgradeAsync());
	}

	CompletableFuture<Void> downgradeAsync() {
		if (isShared() || this.state != State.HELD) {
			return CompletableFuture.completedFuture(null);
		}
		this.downgraded = true;
		CompletableFuture<Void> done = new CompletableFuture<>();
		this.held.downgrade(this, done);
		return done;
	}

	boolean isDowngraded() {
		return this.downgraded;
	}

	/** Return whether others may share the lock with this hold. */
	boolean isShared() {
		return this.downgraded || !this.request.isExclusive();
	}

	/** Return whether this is one of several permits, whose holders exclude nobody. */
	boolean isPermit() {
		return !this.request.isExclusive() && !this.request.isShared();
	}

	/**
	 * Release the lock.
	 * @param confirmed whether to wait for the store, if the request does not set this
	 */
	void release(boolean confirmed) {
		CompletableFuture<Void> released = new CompletableFuture<>();
		if (end(released)) {
			try {
				if (isConfirmed(confirmed)) {
					await(released);
				}
			}
			finally {
				this.held.notifier().released(this);
			}
		}
	}

	/** Return whether a release waits for the store. */
	boolean isConfirmed(boolean unlessSet) {
		return (this.release != null) ? this.release == LockRelease.CONFIRMED : unlessSet;
	}

	/**
	 * Release the lock without waiting for the store.
	 * @param released completed, never exceptionally, once the store has replied or
	 * failed to reply
	 * @return false if the hold had ended before
	 */
	boolean end(CompletableFuture<Void> released) {
		return this.held.end(this, released);
	}

	/**
	 * Release a lock that the caller never received, without its minimum hold time. The
	 * caller may give up just after the hold was reported.
	 */
	CompletableFuture<Void> discard() {
		CompletableFuture<Void> released = new CompletableFuture<>();
		this.discarded = true;
		if (end(released)) {
			this.held.notifier().released(this);
		}
		else {
			released.complete(null);
		}
		return released;
	}

	/**
	 * Return whether at least half of the lease is left, or of the time to the maximum
	 * hold time if this is shorter.
	 */
	boolean isFresh() {
		long now = this.held.nanoTime();
		return this.lease.hasHalfOf(Math.min(this.lease.attempt().leaseMillis(), millisToMaximum(now)), now);
	}

	/**
	 * Renew the lease once, even a fixed one.
	 * @return completes, never exceptionally, once the store has replied or failed to
	 * reply
	 */
	CompletableFuture<Void> renew() {
		CompletableFuture<Void> done = new CompletableFuture<>();
		this.held.renew(this, done);
		return done;
	}

	/**
	 * Wait for the store, no longer than its time limit. An interrupted thread does not
	 * wait.
	 */
	static void await(CompletableFuture<?> reply) {
		try {
			FutureWait.get(reply);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An answer is never completed exceptionally", ex);
		}
	}

	/** Check whether the lease has run out, even before its timer fires. */
	void loseIfOver() {
		if (this.state == State.HELD) {
			this.held.loseIfOver(this);
		}
	}

	/** Return the exception for a holder whose hold has ended in the store. */
	LockLostException overtaken(String reason) {
		return new LockLostException(name(), reason, Duration.ofNanos(this.held.nanoTime() - this.sinceNanos),
				fencingToken());
	}

	/**
	 * Return the exception for a holder that a resource refuses. The next token of this
	 * JVM for the lock will be greater than those that the resource has seen, even if the
	 * store has lost its tokens.
	 */
	LockLostException overtaken(long latestToken) {
		this.held.seen(this.tokens.ofStore(latestToken));
		return overtaken("a later holder, whose fencing token is " + latestToken + ", was admitted first");
	}

	/** Return the fencing token as the store issued it. */
	long storeToken() {
		return this.storeToken;
	}

	/** Return the id of the holder in the store. */
	String owner() {
		return this.lease.attempt().id();
	}

	/** Return the thread that acquired the lock; another thread may use the hold. */
	Thread thread() {
		return this.thread;
	}

	LockRequest request() {
		return this.request;
	}

	Lease lease() {
		return this.lease;
	}

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

	/** Note the only handle that can release this hold. */
	void closedBy(LockHandle handle) {
		this.handle = new WeakReference<>(handle);
	}

	/**
	 * Return whether nobody can release this hold, because an operator or a future has
	 * dropped the handle, and nobody wants to know of its loss.
	 */
	boolean isUnreachable() {
		WeakReference<LockHandle> handle = this.handle;
		if (handle == null || !handle.refersTo(null)) {
			return false;
		}
		this.mutex.lock();
		try {
			return this.callbacks == null;
		}
		finally {
			this.mutex.unlock();
		}
	}

	boolean isRenewed() {
		return !Boolean.FALSE.equals(this.request.renew());
	}

	/** Return until when the lock stays held even if the caller releases it before. */
	long keptUntilNanos() {
		Duration minimum = this.request.minHoldTime();
		return (minimum != null && !this.discarded) ? this.sinceNanos + minimum.toNanos() : this.sinceNanos;
	}

	/**
	 * Return the length of the next renewal: a lease that began longer, to cover the
	 * minimum hold time, covers only the rest of that time.
	 */
	long renewalMillis(long nowNanos) {
		long leaseMillis = this.lease.attempt().leaseMillis();
		if (this.request.minHoldTime() == null || leaseMillis <= this.usualLeaseMillis) {
			return leaseMillis;
		}
		long restMillis = 1 + TimeUnit.NANOSECONDS.toMillis(keptUntilNanos() - nowNanos);
		return Math.min(leaseMillis, Math.max(this.usualLeaseMillis, restMillis));
	}

	/**
	 * Return for how long this JVM keeps the lock after the last holder has released it.
	 */
	long retainNanos() {
		Duration time = this.request.retainTime();
		return (time != null && !this.discarded) ? time.toNanos() : 0;
	}

	/** Return how long the lock may still be held. */
	long millisToMaximum(long nowNanos) {
		Duration maximum = this.request.maxHoldTime();
		return (maximum != null) ? maximum.toMillis() - TimeUnit.NANOSECONDS.toMillis(nowNanos - this.sinceNanos)
				: Long.MAX_VALUE;
	}

	/**
	 * Return whether the maximum hold time is over, minus the allowance for drift.
	 */
	boolean isTooLong(long nowNanos) {
		Duration maximum = this.request.maxHoldTime();
		return maximum != null
				&& (nowNanos - this.sinceNanos) >= maximum.toNanos() / 100 * 98 - TimeUnit.MILLISECONDS.toNanos(5);
	}

	/** Pass the hold to the caller, and return whether the hold has ended meanwhile. */
	boolean handOut(List<LockListener> listeners) {
		this.lossListeners = listeners;
		return !this.listeners.compareAndSet(null, listeners);
	}

	/**
	 * End the hold for the listeners, and return the listeners to notify; {@code null} if
	 * the listeners have been notified of the end already, or not yet of the beginning.
	 */
	@Nullable List<LockListener> endForListeners() {
		List<LockListener> listeners = this.listeners.getAndSet(ENDED);
		return (listeners != ENDED) ? listeners : null;
	}

	/**
	 * End the hold for the listeners by a loss, and return the listeners to notify, even
	 * after a release that did not wait for its reply; {@code null} if the caller never
	 * received the hold.
	 */
	@Nullable List<LockListener> loseForListeners() {
		return (this.listeners.getAndSet(ENDED) != null) ? this.lossListeners : null;
	}

	/**
	 * Return the listeners, or {@code null} if the caller has not received the hold yet
	 * or no longer has it.
	 */
	@Nullable List<LockListener> listeners() {
		List<LockListener> listeners = this.listeners.get();
		return (listeners != ENDED) ? listeners : null;
	}

	void released() {
		this.state = State.RELEASED;
	}

	/** Mark the lease as lost, and return the callbacks to run. */
	List<Runnable> lost(LockLostException loss) {
		this.mutex.lock();
		try {
			this.loss = loss;
			this.state = State.LOST;
			List<Runnable> callbacks = this.callbacks;
			this.callbacks = null;
			return (callbacks != null) ? callbacks : List.of();
		}
		finally {
			this.mutex.unlock();
		}
	}

	private enum State {

		HELD, RELEASED, LOST

	}

}
