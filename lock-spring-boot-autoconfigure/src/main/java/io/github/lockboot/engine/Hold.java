package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRequest;
import io.github.lockboot.engine.store.FencingTokens;

/**
 * One caller's hold of a lock. Only its keeper changes its state.
 */
final class Hold implements LockHandle, Outcome {

	/** Who has the lease. */
	interface Keeper {

		long nanoTime();

		/** Give a hold back, and wait until the store knows or has failed to answer. */
		void release(Hold hold);

		/** Give a hold back; completed, never exceptionally, and not by the store. */
		CompletionStage<Void> releaseAsync(Hold hold);

		/**
		 * End a hold.
		 * @param done to be completed once the store knows or has failed to answer
		 * @return false if the hold had ended before
		 */
		boolean end(Hold hold, CompletableFuture<Void> done);

		/** Let others share the lock, and wait as for a release. */
		void downgrade(Hold hold);

		/** Notice now, and not only when its timer fires, that the lease has run out. */
		void loseIfOver(Hold hold);

		void callBack(Runnable callback);

	}

	private enum State {

		HELD, RELEASED, LOST

	}

	private final Keeper keeper;

	private final Lease lease;

	private final LockRequest request;

	/** As the store gave it out. */
	private final long storeToken;

	/** As the caller gets it while it holds the lock alone. */
	private final long exclusiveToken;

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

	/** Present once its caller has it; guarded by the mutex of this hold. */
	private @Nullable CompositeLockListener listeners;

	/** Whether the listeners know that it ended, or it ended before they knew it. */
	private boolean ended;

	Hold(Keeper keeper, Lease lease, LockRequest request, Thread thread, long storeToken, long exclusiveToken,
			long sinceNanos) {
		this.keeper = keeper;
		this.lease = lease;
		this.request = request;
		this.thread = thread;
		this.storeToken = storeToken;
		this.exclusiveToken = exclusiveToken;
		this.sinceNanos = sinceNanos;
	}

	@Override
	public String name() {
		return this.request.name();
	}

	@Override
	public long fencingToken() {
		return isShared() ? FencingTokens.shared(this.storeToken) : this.exclusiveToken;
	}

	@Override
	public boolean isHeld() {
		return this.state == State.HELD && this.lease.remainingNanos(this.keeper.nanoTime()) > 0;
	}

	@Override
	public Duration remainingLease() {
		return (this.state == State.HELD) ? Duration.ofNanos(this.lease.remainingNanos(this.keeper.nanoTime()))
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
		this.keeper.callBack(callback);
	}

	@Override
	public void close() {
		this.keeper.release(this);
	}

	@Override
	public CompletionStage<Void> closeAsync() {
		return this.keeper.releaseAsync(this);
	}

	/**
	 * Share the lock from now on, and wait until the store knows or has failed to answer:
	 * then it goes on to be held exclusively, which harms nobody.
	 */
	void downgrade() {
		if (!isShared() && this.state == State.HELD) {
			this.downgraded = true;
			this.keeper.downgrade(this);
		}
	}

	boolean isDowngraded() {
		return this.downgraded;
	}

	/**
	 * Whether others may share the lock with this hold.
	 */
	boolean isShared() {
		return this.downgraded || !this.request.isExclusive();
	}

	/**
	 * Give the lock back without waiting for the end of that.
	 */
	boolean end(CompletableFuture<Void> release) {
		return this.keeper.end(this, release);
	}

	/**
	 * Release a lock that the caller never got, and ignore its shortest hold.
	 */
	CompletableFuture<Void> discard() {
		CompletableFuture<Void> release = new CompletableFuture<>();
		this.discarded = true;
		if (!end(release)) {
			release.complete(null);
		}
		return release;
	}

	/**
	 * Wait for an answer of the store; it comes within the store's time limit. An
	 * interrupted thread does not wait.
	 */
	static void awaitAnswer(CompletableFuture<?> done) {
		try {
			done.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("An answer is never completed exceptionally", ex);
		}
	}

	/** Notice a lease that has run out before its timer does. */
	void loseIfOver() {
		if (this.state == State.HELD) {
			this.keeper.loseIfOver(this);
		}
	}

	/**
	 * Return as whom the store knows the holder.
	 */
	String owner() {
		return this.lease.attempt().id();
	}

	/**
	 * Return the thread that asked for the lock; it need not use the hold.
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
	 */
	long keptUntilNanos() {
		Duration minimum = this.request.minHoldTime();
		return (minimum != null && !this.discarded) ? this.sinceNanos + minimum.toNanos() : this.sinceNanos;
	}

	/**
	 * Return how long the lock may be held still.
	 */
	long millisToMaximum(long nowNanos) {
		Duration maximum = this.request.maxHoldTime();
		return (maximum != null) ? maximum.toMillis() - TimeUnit.NANOSECONDS.toMillis(nowNanos - this.sinceNanos)
				: Long.MAX_VALUE;
	}

	/**
	 * Whether the maximal hold time is over, but for what is subtracted for drift.
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
	 */
	boolean handOut(CompositeLockListener listeners) {
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
	 */
	@Nullable CompositeLockListener endForListeners() {
		this.mutex.lock();
		try {
			CompositeLockListener listeners = this.ended ? null : this.listeners;
			this.ended = true;
			return listeners;
		}
		finally {
			this.mutex.unlock();
		}
	}

	/**
	 * Return the listeners, {@code null} if the caller does not have it yet.
	 */
	@Nullable CompositeLockListener listeners() {
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
