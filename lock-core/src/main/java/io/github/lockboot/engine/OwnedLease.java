package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockLostException;
import io.github.lockboot.concurrent.Effect;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.engine.store.LockAttempt;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;

/**
 * A lease that an attempt of this JVM owns, and the callers that hold it: one after the
 * other, or at the same time if it is shared. When a holder leaves, the lease passes to
 * the next caller, stays in this JVM for a while, or ends. Guarded by the mutex of its
 * {@link LockQueue}.
 */
final class OwnedLease implements HeldLease {

	private final LockQueue queue;

	private final LockEngine engine;

	private final MonotonicClock clock;

	private final Turn turn;

	private final Lease lease;

	private final boolean shared;

	private final long beganNanos;

	private final Collection<Hold> holders;

	private final Renewals renewals;

	/**
	 * Also read without the mutex, by a push that checks whether the lock is retained.
	 */
	private volatile State state = State.HELD;

	/** When the lease may last have been over already; present once that was so. */
	private volatile @Nullable Long doubtedNanos;

	/** Present once the lock has been retained. */
	private @Nullable Retention retention;

	/** The released hold for whose minimum hold time the lock stays held. */
	private @Nullable Hold kept;

	OwnedLease(LockQueue queue, LockEngine engine, Turn turn, Lease lease, boolean shared) {
		this.queue = queue;
		this.engine = engine;
		this.clock = engine.clock();
		this.turn = turn;
		this.lease = lease;
		this.shared = shared;
		this.beganNanos = this.clock.nanoTime();
		this.holders = shared ? new LinkedHashSet<>() : new ArrayList<>(1);
		this.renewals = new Renewals(this, queue, engine, lease);
	}

	@Override
	public Lease lease() {
		return this.lease;
	}

	LockAttempt attempt() {
		return this.lease.attempt();
	}

	private long ownedForNanos(long nowNanos) {
		return nowNanos - this.beganNanos;
	}

	boolean isHeld() {
		return this.state == State.HELD;
	}

	boolean isRetained() {
		return this.state == State.RETAINED;
	}

	/** Return whether the release is under way. */
	boolean isReleasing() {
		return this.state == State.RELEASING;
	}

	/** Return whether the lease is renewed. */
	boolean isRenewed() {
		return isHeld() || isRetained();
	}

	/** Return the outcome for a waiter that leaves now. */
	Outcome refusal(long nowNanos) {
		return new Outcome.Busy(TimeUnit.NANOSECONDS.toMillis(this.lease.remainingNanos(nowNanos)));
	}

	// ---- holders

	private boolean isHeldBy(Hold hold) {
		return this.holders.contains(hold);
	}

	List<Hold> holders() {
		return List.copyOf(this.holders);
	}

	/**
	 * Return the current holder, or the one that has held the lock for longest if there
	 * are several; {@code null} if the lock is retained.
	 */
	@Nullable Hold holder() {
		return isRetained() ? null : this.holders.iterator().next();
	}

	/**
	 * Begin the lease: grant the lock to the first caller, or to all callers that share
	 * it.
	 */
	Effect begin() {
		Waiter first = this.queue.first();
		if (first == null) {
			return releaseRetained();
		}
		Effect after = Effect.NONE;
		for (Waiter next = first; next != null; next = this.shared ? this.queue.first() : null) {
			grant(next, this.lease.lastToken());
			Effect adopt = this.renewals.adopt(leaseMillisWith(next));
			after = (adopt != Effect.NONE) ? adopt : after;
		}
		return this.renewals.begin(after);
	}

	private void grant(Waiter waiter, long token) {
		Hold hold = new Hold(this, waiter, this.engine.fencingTokens(), token, this.clock.nanoTime());
		this.holders.add(hold);
		this.queue.grant(waiter, hold);
	}

	/**
	 * Return the length of the lease with a new holder: the length that this holder
	 * requests, or the longest one of several holders.
	 */
	private long leaseMillisWith(Waiter next) {
		return this.shared ? Math.max(next.leaseMillis(), attempt().leaseMillis()) : next.leaseMillis();
	}

	/**
	 * Return whether a caller may join the holders of a shared lock without a request to
	 * the store.
	 */
	boolean mayBeJoined(Waiter next) {
		long now = this.clock.nanoTime();
		return this.turn.mayJoin(this.lease, ownedForNanos(now)) && this.shared && isHeld()
				&& hasHalfOf(next.leaseMillis(), now);
	}

	Effect join(Waiter next) {
		grant(next, this.lease.lastToken());
		return this.renewals.ask();
	}

	@Override
	public boolean end(Hold hold, CompletableFuture<Void> done) {
		return this.queue.transit(() -> isHeldBy(hold) ? leave(hold, done) : null);
	}

	/** Pass the lease on within this JVM, retain the lock, or release it. */
	private Effect leave(Hold hold, CompletableFuture<Void> done) {
		long now = this.clock.nanoTime();
		if (this.lease.isOver(now)) {
			return lose("its lease had run out before it was released", true).then(() -> done.complete(null));
		}
		hold.released();
		Waiter next = this.queue.first();
		long token = (next != null && mayBePassed(hold, next, now)) ? issueNext() : -1;
		this.holders.remove(hold);
		if (next != null && token >= 0) {
			done.complete(null); // which nobody waits for yet
			return grantAgain(next, token);
		}
		if (!this.holders.isEmpty() || (next == null && retain(hold, now))) {
			done.complete(null);
			return Effect.NONE;
		}
		return release(hold, done);
	}

	/** Grant the lock without a request to the store. */
	private Effect grantAgain(Waiter next, long token) {
		grant(next, token);
		return this.renewals.passedOn(leaseMillisWith(next));
	}

	/** Issue the next reserved token, or return -1 if no token is reserved. */
	private long issueNext() {
		long token = this.lease.nextToken();
		return (token >= 0 && this.queue.issue(token)) ? token : -1;
	}

	/** Return whether a holder may pass the lease on without a request to the store. */
	private boolean mayBePassed(Hold hold, Waiter next, long nowNanos) {
		return this.turn.mayPass(this.lease, ownedForNanos(nowNanos), nowNanos) && isLeft(hold, nowNanos)
				&& next.isRenewed() && hasHalfOf(next.leaseMillis(), nowNanos);
	}

	/** Return whether a holder leaves a lease that others may use. */
	boolean isLeft(Hold hold, long nowNanos) {
		return !this.shared && hold.keptUntilNanos() - nowNanos <= 0 && !hold.isDowngraded();
	}

	/**
	 * Return whether at least half of a lease is left, and the lease may be used without
	 * a request to the store.
	 */
	private boolean hasHalfOf(long leaseMillis, long nowNanos) {
		return this.lease.hasHalfOf(leaseMillis, nowNanos) && !this.clock.wasJustSuspended()
				&& this.engine.store().isReachable();
	}

	@Override
	public void downgrade(Hold hold, CompletableFuture<Void> done) {
		this.queue.transit(() -> isHeldBy(hold) ? () -> downgrade(done) : () -> done.complete(null));
	}

	private void downgrade(CompletableFuture<Void> done) {
		LockStore.call(() -> this.engine.store().downgrade(attempt(), this.lease.usedToken()))
			.whenComplete((reply, failure) -> done.complete(null));
	}

	@Override
	public void renew(Hold hold, CompletableFuture<Void> done) {
		this.queue.transit(() -> isHeldBy(hold) ? this.renewals.renew(hold, done) : () -> done.complete(null));
	}

	@Override
	public void loseIfOver(Hold hold) {
		this.queue.transit(() -> (isHeldBy(hold) && this.lease.isOver(nanoTime())) ? lose("its lease ran out", true)
				: Effect.NONE);
	}

	@Override
	public long nanoTime() {
		return this.clock.nanoTime();
	}

	@Override
	public boolean isInDoubt() {
		Long doubted = this.doubtedNanos;
		return this.clock.wasJustSuspended() || (doubted != null && !this.lease.isConfirmedSince(doubted));
	}

	@Override
	public LockNotifier notifier() {
		return this.engine.notifier();
	}

	@Override
	public void callBack(Runnable callback) {
		notifier().callBack(callback);
	}

	@Override
	public void seen(long storeToken) {
		this.queue.seen(storeToken);
	}

	/**
	 * Revalidate the lease at the store, which may be over.
	 * @param reason why, if it is over
	 */
	Effect revalidate(String reason) {
		if (isRetained()) {
			return releaseRetained();
		}
		this.doubtedNanos = nanoTime();
		this.renewals.expectLoss(reason);
		return isHeld() ? this.renewals.revalidate(Objects.requireNonNull(holder())) : Effect.NONE;
	}

	// ---- retention

	/**
	 * Keep the lock for the next caller, unless another JVM waits. The push about that
	 * JVM may arrive at the same time, without the mutex: either the push sees that the
	 * lock is retained, or this method sees the push.
	 */
	private boolean retain(Hold last, long nowNanos) {
		if (!mayBeRetained(last, nowNanos) || this.turn.isWaitedBehind(attempt()) || !this.queue.mayRetain()) {
			return false;
		}
		enter(State.RETAINED);
		if (this.retention == null) {
			this.retention = new Retention(this.clock, () -> this.queue.transit(this::look));
		}
		this.retention.begin(last.retainNanos(), nowNanos);
		return !this.turn.isWaitedBehind(attempt());
	}

	private boolean mayBeRetained(Hold last, long nowNanos) {
		return last.retainNanos() > 0 && isLeft(last, nowNanos) && last.isRenewed() && this.renewals.isSettled()
				&& !this.lease.isPolled() && !this.lease.isMaybeTakenLate();
	}

	/** Give the retained lock to a caller, without a request to the store if possible. */
	Effect retake(Waiter next) {
		long now = this.clock.nanoTime();
		if (this.lease.isOver(now)) {
			return lose("its lease had run out while nobody held it", true);
		}
		long token = mayBeRetaken(next, now) ? issueNext() : -1;
		if (token < 0) {
			return releaseRetained();
		}
		enter(State.HELD);
		if (this.retention != null && this.retention.taken()) {
			this.engine.idle(this.queue, false);
		}
		return grantAgain(next, token);
	}

	/** The lease may be short, unless it has to outlive a holder that dies. */
	private boolean mayBeRetaken(Waiter next, long nowNanos) {
		long leaseMillis = (next.request().minHoldTime() != null) ? next.leaseMillis()
				: Math.min(next.leaseMillis(), Renewals.IDLE_LEASE_MILLIS);
		return next.isRenewed() && hasHalfOf(leaseMillis, nowNanos);
	}

	/** Return whether a caller of this JVM has taken the retained lock again. */
	boolean isRetaken() {
		return this.retention != null && this.retention.isOfUse();
	}

	private Effect look() {
		Retention.Look look = Objects.requireNonNull(this.retention).look(isRetained());
		return switch (look) {
			case OVER -> releaseRetained();
			case BUSY -> this.renewals.ask();
			case IDLE -> {
				LockQueue longest = this.engine.idle(this.queue, true);
				yield this.renewals.shorten().then((longest != null) ? longest::releaseRetained : Effect.NONE);
			}
		};
	}

	// ---- the end

	/** Release the lock, which nobody holds. */
	Effect releaseRetained() {
		return release(null, new CompletableFuture<>());
	}

	/**
	 * Release the lock. Once the release is sent, only its reply concerns this lease. The
	 * next attempt is sent without waiting for the reply, because the store executes the
	 * requests of one connection in order. If the two requests use different connections,
	 * the next attempt may find the lock busy, and acquires the lock through the release
	 * or through a later request.
	 * @param hold the last holder, if the lock ever had one
	 * @param done completed once the store has replied or failed to reply
	 */
	private Effect release(@Nullable Hold hold, CompletableFuture<Void> done) {
		enter(State.RELEASING);
		stop();
		LockAttempt attempt = attempt();
		long token = this.lease.usedToken();
		long keptMillis = (hold == null) ? 0
				: Math.max(0, TimeUnit.NANOSECONDS.toMillis(hold.keptUntilNanos() - this.clock.nanoTime()));
		this.kept = (keptMillis > 0) ? hold : null;
		return () -> {
			LockStore.call(() -> this.engine.store().release(attempt, token, keptMillis))
				.whenComplete(
						(reply, failure) -> this.queue.transit(() -> released(hold, reply), () -> done.complete(null)));
			this.queue.transit(() -> this.queue.requestNextLease(this.lease.isPolled()));
		};
	}

	/**
	 * Handle the reply to the release. If the store has failed, or a late request may
	 * acquire the lock again, releases continue in the background and nobody waits for
	 * them; but a lock that stays held for a minimum hold time is left to a late request.
	 */
	private Effect released(@Nullable Hold hold, @Nullable ReleaseReply reply) {
		boolean confirmed = reply != null && (this.kept != null || !this.lease.isMaybeTakenLate());
		boolean lost = confirmed && reply == ReleaseReply.NOT_OWNER && hold != null;
		enter(lost ? State.LOST : State.RELEASED);
		if (this.kept != null) {
			this.engine.keep(attempt(), this.kept.keptUntilNanos());
		}
		if (confirmed) {
			this.engine.forget(attempt());
		}
		Effect after = confirmed ? Effect.NONE : () -> this.engine.abandon(this.lease);
		if (lost) {
			after = notifyLost(Objects.requireNonNull(hold), "it was no longer owned when it was released");
		}
		return (reply == ReleaseReply.UNAWAITED) ? after.then(this.queue.noteNobodyWaited()) : after;
	}

	/**
	 * Return whether the lock stays held for the minimum hold time of a released hold.
	 */
	boolean isKept() {
		return this.kept != null;
	}

	/**
	 * Lose the lease, and notify its holders.
	 * @param mayBeOurs whether the attempt may still be the owner in the store
	 */
	Effect lose(String reason, boolean mayBeOurs) {
		enter(State.LOST);
		stop();
		List<Hold> losers = holders();
		this.holders.clear();
		String loss = reason + ((losers.size() > 1) ? "; " + losers.size() + " holders" : "");
		Effect after = Effect.NONE;
		for (Hold loser : losers) {
			after = after.then(notifyLost(loser, loss));
		}
		boolean abandoned = mayBeOurs || this.lease.isMaybeTakenLate();
		if (abandoned) {
			after = after.then(() -> this.engine.abandon(this.lease));
		}
		Effect next = this.queue.requestNextLease(this.lease.isPolled());
		if (!abandoned) {
			this.engine.forget(attempt());
		}
		return after.then(next);
	}

	private Effect notifyLost(Hold hold, String reason) {
		long now = this.clock.nanoTime();
		LockLostException loss = new LockLostException(attempt().lock(), reason + "; " + this.lease.history(now),
				Duration.ofNanos(now - hold.sinceNanos()), hold.fencingToken());
		List<Runnable> callbacks = hold.lost(loss);
		return () -> this.engine.notifier().lost(hold, loss, callbacks);
	}

	private void stop() {
		this.renewals.stop();
		if (this.retention != null && this.retention.stop()) {
			this.engine.idle(this.queue, false);
		}
	}

	private void enter(State next) {
		Assert.state(this.state.mayBecome(next), () -> "A lease that is " + this.state + " can't become " + next);
		this.state = next;
	}

	/**
	 * The states of an {@link OwnedLease}. The page docs/engine.md shows the states.
	 */
	enum State {

		/** Callers hold the lease, and the lease is renewed. */
		HELD,

		/** Nobody holds the lease, which is renewed for the next caller of this JVM. */
		RETAINED,

		/** The last holder has released the lease, and the store has not replied. */
		RELEASING,

		/** The store has replied, or has failed to reply. */
		RELEASED,

		/** The lease is over, and its holders are notified. */
		LOST;

		boolean mayBecome(State next) {
			return switch (this) {
				case HELD -> next == RETAINED || next == RELEASING || next == LOST;
				case RETAINED -> next == HELD || next == RELEASING || next == LOST;
				case RELEASING -> next == RELEASED || next == LOST;
				case RELEASED, LOST -> false;
			};
		}

	}

}
