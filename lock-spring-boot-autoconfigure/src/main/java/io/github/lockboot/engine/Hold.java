package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;

/**
 * One caller's hold of a lock. Its state is changed by its tenure only.
 */
final class Hold implements LockHandle, Outcome {

	private enum State {

		HELD, RELEASED, LOST

	}

	private final Tenure tenure;

	private final Lease lease;

	private final LockRequest request;

	/** As the store gave it out. */
	private final long storeToken;

	private final long sinceNanos;

	private final Thread thread;

	private final ReentrantLock mutex = new ReentrantLock();

	private volatile State state = State.HELD;

	private volatile boolean downgraded;

	/** Whether it was given back before the caller had it. */
	private volatile boolean discarded;

	private volatile @Nullable LockLostException loss;

	/** Guarded by the mutex of this hold. */
	private @Nullable List<Runnable> callbacks;

	/** Who is told of it once its caller has it; guarded by the mutex of this hold. */
	private @Nullable ListenerGuard listeners;

	/** Whether its end was told, or came too early for that; guarded like those. */
	private boolean ended;

	Hold(Tenure tenure, Lease lease, Waiter waiter, long storeToken, long sinceNanos) {
		this.tenure = tenure;
		this.lease = lease;
		this.request = waiter.request();
		this.thread = waiter.call().thread();
		this.storeToken = storeToken;
		this.sinceNanos = sinceNanos;
	}

	@Override
	public String name() {
		return this.request.name();
	}

	@Override
	public long fencingToken() {
		return isShared() ? FencingTokens.shared(this.storeToken)
				: this.tenure.lane().engine().fencingTokens().exclusive(this.storeToken);
	}

	/**
	 * Return the fencing token as the store gave it out or reserved it.
	 * @return the token
	 */
	long storeToken() {
		return this.storeToken;
	}

	@Override
	public boolean isHeld() {
		return this.state == State.HELD && this.lease.remainingNanos(this.tenure.now()) > 0;
	}

	@Override
	public Duration remainingLease() {
		return (this.state == State.HELD) ? Duration.ofNanos(this.lease.remainingNanos(this.tenure.now()))
				: Duration.ZERO;
	}

	@Override
	public void ensureHeld() {
		if (isHeld()) {
			return;
		}
		loseIfOver();
		LockLostException loss = this.loss;
		if (loss != null) {
			throw loss;
		}
		if (this.state == State.RELEASED) {
			throw new IllegalStateException("Lock '" + name() + "' was given back before");
		}
	}

	@Override
	public @Nullable LockLostException loss() {
		loseIfOver();
		return this.loss;
	}

	@Override
	public void onLost(Runnable callback) {
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
		this.tenure.callBack(callback);
	}

	@Override
	public void close() {
		this.tenure.release(this);
	}

	@Override
	public CompletionStage<Void> closeAsync() {
		return this.tenure.releaseAsync(this);
	}

	/**
	 * Share the lock from now on, and wait until the store knows or has failed to answer:
	 * then it goes on to be held exclusively, which harms nobody.
	 */
	void downgrade() {
		if (!isShared() && this.state == State.HELD) {
			this.downgraded = true;
			this.tenure.downgrade(this);
		}
	}

	boolean isDowngraded() {
		return this.downgraded;
	}

	/**
	 * Whether others may share the lock with this hold.
	 * @return false if it is exclusive
	 */
	boolean isShared() {
		return this.downgraded || !this.request.isExclusive();
	}

	/**
	 * Give the lock back without waiting for the end of that.
	 * @param release to be completed when all is done
	 * @return false if the lock was given back or lost before
	 */
	boolean end(CompletableFuture<Void> release) {
		return this.tenure.end(this, release);
	}

	/**
	 * Give back a lock that the caller never had: its shortest hold counts for nothing.
	 * @return completed, never exceptionally, once the store has answered or failed to
	 */
	CompletableFuture<Void> discard() {
		CompletableFuture<Void> release = new CompletableFuture<>();
		this.discarded = true;
		if (!end(release)) {
			release.complete(null);
		}
		return release;
	}

	/** Notice a lease that has run out before its timer does. */
	void loseIfOver() {
		if (this.state == State.HELD) {
			this.tenure.loseIfOver(this);
		}
	}

	/**
	 * Return as whom the store knows the holder.
	 * @return name of the attempt
	 */
	String owner() {
		return this.lease.attempt().owner();
	}

	/**
	 * Return who asked for the lock.
	 * @return the thread; it need not be the one that uses the hold
	 */
	Thread thread() {
		return this.thread;
	}

	LockRequest request() {
		return this.request;
	}

	Lease lease() {
		return this.lease;
	}

	boolean isRenewed() {
		return !Boolean.FALSE.equals(this.request.renew());
	}

	/**
	 * Return until when the lock stays taken even if it is given back before.
	 * @return the moment; in the past without a minimal hold time
	 */
	long keptUntilNanos() {
		Duration minimum = this.request.minHoldTime();
		return (minimum != null && !this.discarded) ? this.sinceNanos + minimum.toNanos() : this.sinceNanos;
	}

	/**
	 * Return how long the lock may be held still.
	 * @param nowNanos the time
	 * @return milliseconds; negative after the maximal hold time
	 */
	long millisToMaximum(long nowNanos) {
		Duration maximum = this.request.maxHoldTime();
		return (maximum != null) ? maximum.toMillis() - TimeUnit.NANOSECONDS.toMillis(nowNanos - this.sinceNanos)
				: Long.MAX_VALUE;
	}

	/**
	 * Whether the maximal hold time is over, but for what is subtracted for drift.
	 * @param nowNanos the time
	 * @return true if so
	 */
	boolean isTooLong(long nowNanos) {
		Duration maximum = this.request.maxHoldTime();
		return maximum != null
				&& (nowNanos - this.sinceNanos) >= maximum.toNanos() / 100 * 98 - TimeUnit.MILLISECONDS.toNanos(5);
	}

	long sinceNanos() {
		return this.sinceNanos;
	}

	/**
	 * Note that the caller has it.
	 * @param listeners who has been told so
	 * @return whether it ended before, so that they are to be told that as well
	 */
	boolean handOut(ListenerGuard listeners) {
		this.mutex.lock();
		try {
			this.listeners = listeners;
			return this.ended;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Note that it is over.
	 * @return who is to be told; {@code null} if they were told before, or if the caller
	 * does not have it yet
	 */
	@Nullable ListenerGuard tellEnd() {
		this.mutex.lock();
		try {
			ListenerGuard told = this.ended ? null : this.listeners;
			this.ended = true;
			return told;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Return who is told while it is held.
	 * @return the listeners; {@code null} if the caller does not have it yet
	 */
	@Nullable ListenerGuard listeners() {
		this.mutex.lock();
		try {
			return this.listeners;
		}
		finally {
			this.mutex.unlock();
		}
	}

	void released() {
		this.state = State.RELEASED;
	}

	@Override
	public String toString() {
		return "Hold of lock '" + name() + "' with token " + fencingToken() + ", "
				+ this.state.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Turn lost.
	 * @param loss what is known of it
	 * @return the callbacks to run
	 */
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

}
