package io.github.lockboot.engine;

import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.ObjLongConsumer;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockHandle;
import io.github.lockboot.LockLostException;
import io.github.lockboot.LockRelease;
import io.github.lockboot.LockRequest;
import io.github.lockboot.concurrent.FutureWait;

/**
 * What a caller receives that holds a lock. Only the {@link LockQueue} changes its state.
 * Thread-safe.
 */
final class Hold implements LockHandle, Outcome {

	private final LockQueue queue;

	private final Holder holder;

	private final Lease lease;

	Hold(LockQueue queue, Holder holder) {
		this.queue = queue;
		this.holder = holder;
		this.lease = holder.lease();
		holder.handle(this);
	}

	// ---- the handle of the caller

	@Override
	public String name() {
		return this.holder.name();
	}

	@Override
	public long fencingToken() {
		return this.holder.fencingToken(this.queue.fencingTokens());
	}

	@Override
	public boolean isHeld() {
		return this.holder.isHeld() && !isInDoubt() && this.lease.remainingNanos(this.queue.nanoTime()) > 0;
	}

	@Override
	public Duration remainingLease() {
		return (this.holder.isHeld() && !isInDoubt())
				? Duration.ofNanos(this.lease.remainingNanos(this.queue.nanoTime())) : Duration.ZERO;
	}

	/**
	 * Return whether the machine may have been suspended, so that the deadline of the
	 * lease is too late, and the store has not confirmed the lease since then.
	 */
	boolean isInDoubt() {
		return this.lease.isInDoubt() || this.queue.wasSuspendedSince(this.lease.confirmedNanos());
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
		if (this.holder.state() == Holder.State.RELEASED) {
			throw new IllegalStateException("Lock '" + name() + "' was already released");
		}
		throw overtaken("this JVM or its machine stood still, and the store does not confirm the hold");
	}

	/** Ask the store in doubt, and return whether it confirms the hold. */
	private boolean isConfirmed() {
		boolean confirmed = true;
		// perhaps anew meanwhile
		while (confirmed && this.holder.isHeld() && isInDoubt()) {
			long askedNanos = this.queue.nanoTime();
			await(renew());
			confirmed = this.lease.isConfirmedSince(askedNanos);
		}
		return isHeld();
	}

	@Override
	public @Nullable LockLostException loss() {
		loseIfOver();
		return this.holder.loss();
	}

	@Override
	public void onLost(Runnable callback) {
		Assert.notNull(callback, () -> "The callback for the loss of lock '" + name() + "' must not be null");
		if (!this.queue.changes((machine, now) -> this.holder.onLost(callback))) {
			this.queue.notifier().callBack(callback);
		}
	}

	@Override
	public void close() {
		release(true);
	}

	@Override
	public CompletionStage<Void> closeAsync() {
		boolean confirmed = isConfirmed(false);
		CompletableFuture<Void> released = new CompletableFuture<>();
		LockNotifier notifier = this.queue.notifier();
		if (!end(released)) {
			return CompletableFuture.completedStage(null);
		}
		if (confirmed) {
			// a copy, because a caller that cancels it must not cancel the notification
			return released.thenRunAsync(() -> notifier.released(this.holder), notifier::deliver).copy();
		}
		notifier.released(this.holder);
		return CompletableFuture.completedStage(null);
	}

	@Override
	public CompletionStage<Void> discardAsync() {
		return discard().thenRunAsync(() -> {
		}, this.queue.notifier()::deliver).copy();
	}

	@Override
	public String toString() {
		return "Hold of lock '" + name() + "' with token " + fencingToken() + ", "
				+ this.holder.state().name().toLowerCase(Locale.ROOT);
	}

	// ---- for the engine

	Holder holder() {
		return this.holder;
	}

	/**
	 * Share the lock from now on, and wait until the store has replied or failed to
	 * reply. After a failure the lock stays exclusive in the store, which does no harm.
	 */
	void downgrade() {
		await(downgradeAsync());
	}

	CompletableFuture<Void> downgradeAsync() {
		if (isShared() || !this.holder.isHeld()) {
			return CompletableFuture.completedFuture(null);
		}
		this.holder.downgrade();
		CompletableFuture<Void> done = new CompletableFuture<>();
		return changed((owned, now) -> owned.downgrade(done), done);
	}

	/** Forget a callback of a section that has ended before the hold. */
	void forget(Runnable callback) {
		this.queue.change((machine, now) -> this.holder.forget(callback));
	}

	boolean isShared() {
		return this.holder.isShared();
	}

	/** Return whether this is one of several permits, whose holders exclude nobody. */
	boolean isPermit() {
		return !request().isExclusive() && !request().isShared();
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
				this.queue.notifier().released(this.holder);
			}
		}
	}

	/** Return whether a release waits for the store. */
	boolean isConfirmed(boolean unlessSet) {
		LockRelease release = this.holder.release();
		return (release != null) ? release == LockRelease.CONFIRMED : unlessSet;
	}

	/**
	 * Release the lock without waiting for the store.
	 * @param released completed, never exceptionally, once the store has replied or
	 * failed to reply
	 * @return false if the hold had ended before
	 */
	boolean end(CompletableFuture<Void> released) {
		return changes((owned, now) -> owned.leave(this.holder, released, now));
	}

	/**
	 * Release a lock whose section has not begun, without its minimum hold time. The
	 * caller may give up just after the hold was reported.
	 */
	CompletableFuture<Void> discard() {
		CompletableFuture<Void> released = new CompletableFuture<>();
		this.holder.discard();
		if (end(released)) {
			this.queue.notifier().released(this.holder);
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
		long now = this.queue.nanoTime();
		return this.lease.hasHalfOf(Math.min(this.lease.attempt().leaseMillis(), this.holder.millisToMaximum(now)),
				now);
	}

	/**
	 * Renew the lease once, even a fixed one.
	 * @return completes, never exceptionally, once the store has replied or failed to
	 * reply
	 */
	CompletableFuture<Void> renew() {
		CompletableFuture<Void> done = new CompletableFuture<>();
		return changed((owned, now) -> owned.renew(this.holder, done, now), done);
	}

	/** Change the lease, or return false if the hold had ended before. */
	private boolean changes(ObjLongConsumer<OwnedLease> change) {
		return this.queue
			.changes((machine, now) -> machine.change(this.holder, (owned) -> change.accept(owned, now), now));
	}

	/** Change the lease, and complete a future at once if the hold had ended before. */
	private CompletableFuture<Void> changed(ObjLongConsumer<OwnedLease> change, CompletableFuture<Void> done) {
		if (!changes(change)) {
			done.complete(null);
		}
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
		if (this.holder.isHeld() && this.lease.isOver(this.queue.nanoTime())) {
			changes(OwnedLease::loseIfOver);
		}
	}

	/** Return the exception for a holder whose hold has ended in the store. */
	LockLostException overtaken(String reason) {
		return new LockLostException(name(), reason, Duration.ofNanos(this.queue.nanoTime() - this.holder.sinceNanos()),
				fencingToken());
	}

	/**
	 * Return the exception for a holder that a resource refuses. The next token of this
	 * JVM for the lock will be greater than those that the resource has seen, even if the
	 * store has lost its tokens.
	 */
	LockLostException overtaken(long latestToken) {
		this.queue.change((machine, now) -> machine.seen(this.queue.fencingTokens().ofStore(latestToken)));
		return overtaken("a later holder, whose fencing token is " + latestToken + ", was admitted first");
	}

	long storeToken() {
		return this.holder.storeToken();
	}

	String owner() {
		return this.holder.owner();
	}

	Thread thread() {
		return this.holder.thread();
	}

	LockRequest request() {
		return this.holder.request();
	}

	Lease lease() {
		return this.lease;
	}

	long keptUntilNanos() {
		return this.holder.keptUntilNanos();
	}

	/** Note the only handle that can release this hold. */
	void closedBy(LockHandle handle) {
		this.holder.closedBy(handle);
	}

}
