package io.github.lockboot.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;
import io.github.lockboot.engine.store.StoreTraits;

/**
 * A lease that an attempt of this JVM owns, and the callers that hold it: one after the
 * other, or at the same time if it is shared. This class makes all requests to the store
 * about the lease. The lease is renewed after a third of its time, and a renewal that
 * fails is repeated soon: the lease is lost only if the store replies that the attempt is
 * not the owner, or if the deadline has passed. Guarded by the mutex of its
 * {@link LockQueue}.
 */
final class OwnedLease {

	private static final long SHORTEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long LONGEST_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

	/**
	 * How long a lock that nobody holds keeps its lease, without any request to the
	 * store.
	 */
	private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

	/**
	 * How long a push that was missed may delay others while a lock is retained, or
	 * passed on without a request.
	 */
	private static final long UNNOTICED_NANOS = TimeUnit.SECONDS.toNanos(1);

	/**
	 * The lease of an idle lock, which is as long as that of a lock that was handed over.
	 */
	private static final long IDLE_LEASE_MILLIS = 2000;

	/**
	 * How long a holder keeps the short lease of a lock that was handed over: most
	 * holders have released the lock by then, which saves a renewal.
	 */
	private static final long BRIEF_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private static final long LONGEST_GRID_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private final Queue queue;

	private final LockStore store;

	private final MonotonicClock clock;

	private final LockNotifier notifier;

	private final Lease lease;

	private final boolean shared;

	private final long beganNanos;

	private final Collection<Hold> holders;

	/**
	 * Also read without the mutex, by a push that checks whether the lock is retained.
	 */
	private volatile State state = State.HELD;

	private MonotonicClock.@Nullable Timer timer;

	private @Nullable Throwable lastFailure;

	/** Since when nobody has held the lock, and for how long it is retained. */
	private long retainedSinceNanos;

	private long retainNanos;

	/** Whether a caller of this JVM has taken the lock again. */
	private boolean retaken;

	/** Whether nobody has held the lock for so long that its lease is short. */
	private boolean idle;

	/** Whether the lease is still that of an idle lock. */
	private boolean shortened;

	/**
	 * The number of renewals of a short lease without a reply, which may take effect
	 * later.
	 */
	private int unanswered;

	/** The released hold for whose minimum hold time the lock stays held. */
	private @Nullable Hold kept;

	private long wantedMillis;

	private MonotonicClock.@Nullable Timer idleTimer;

	private long idleTimerNanos;

	OwnedLease(Queue queue, LockStore store, MonotonicClock clock, LockNotifier notifier, Lease lease, boolean shared) {
		this.queue = queue;
		this.store = store;
		this.clock = clock;
		this.notifier = notifier;
		this.lease = lease;
		this.shared = shared;
		this.beganNanos = clock.nanoTime();
		this.holders = shared ? new LinkedHashSet<>() : new ArrayList<>(1);
	}

	Lease lease() {
		return this.lease;
	}

	LockOwner attempt() {
		return this.lease.attempt();
	}

	boolean isOf(String attempt) {
		return attempt().id().equals(attempt);
	}

	long ownedForNanos(long nowNanos) {
		return nowNanos - this.beganNanos;
	}

	// ---- holders

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
	boolean isOwned() {
		return isHeld() || isRetained();
	}

	boolean isRetaken() {
		return this.retaken;
	}

	boolean isHeldBy(Hold hold) {
		return this.holders.contains(hold);
	}

	List<Hold> holders() {
		return List.copyOf(this.holders);
	}

	/**
	 * Return the current holder, or the one that has held the lock for longest if there
	 * are several; {@code null} if the lock is retained.
	 */
	private @Nullable Hold holder() {
		return isRetained() ? null : this.holders.iterator().next();
	}

	void add(Hold hold) {
		this.holders.add(hold);
	}

	/** Remove a holder, and return whether it was the last one. */
	boolean remove(Hold hold) {
		this.holders.remove(hold);
		return this.holders.isEmpty();
	}

	/**
	 * Adopt the length that a new holder requests, or the longest one of several holders.
	 * A short lease stays short while the store may still execute a renewal for it.
	 */
	Effect adopt(long leaseMillis) {
		this.wantedMillis = this.shared ? Math.max(leaseMillis, attempt().leaseMillis()) : leaseMillis;
		if (this.shortened && this.unanswered > 0) {
			return Effect.NONE;
		}
		this.shortened = false;
		boolean renew = this.lease.adopt(this.wantedMillis);
		return (this.lease.isShortOfTokens() || renew) ? () -> this.queue.transit(this::renew) : Effect.NONE;
	}

	/**
	 * Adopt the length that a caller requests that received the lease without a request
	 * to the store. A lease that is used again is worth its first renewal, whose reply
	 * shows whether a waiter polls.
	 */
	Effect passedOn(long leaseMillis) {
		Effect adopt = adopt(leaseMillis);
		if (adopt != Effect.NONE) {
			return adopt;
		}
		return this.lease.awaitsItsFirstRenewal() ? renew() : ask();
	}

	/**
	 * Ask the store from time to time whether others wait, while callers receive the
	 * lease without a request: the push about other waiters may be missed, or never be
	 * sent. A store whose waiters poll does not know its waiters.
	 */
	Effect ask() {
		boolean known = this.store.traits().waiting() == StoreTraits.Waiting.GRANTS;
		return (known && this.clock.nanoTime() - this.lease.askedNanos() >= UNNOTICED_NANOS) ? renew() : Effect.NONE;
	}

	/** Return whether a caller may share the lease without a request to the store. */
	boolean mayBeJoined(long leaseMillis, long nowNanos) {
		return this.shared && isHeld() && hasHalfOf(leaseMillis, nowNanos);
	}

	/** Return whether a holder may pass the lease on without a request to the store. */
	boolean mayBePassed(Hold hold, Waiter next, long nowNanos) {
		return isLeft(hold, nowNanos) && next.isRenewed() && hasHalfOf(next.leaseMillis(), nowNanos);
	}

	/** Return whether a holder leaves a lease that others may use. */
	private boolean isLeft(Hold hold, long nowNanos) {
		return !this.shared && hold.keptUntilNanos() - nowNanos <= 0 && !hold.isDowngraded();
	}

	/** Return whether the lock may stay in this JVM when its last holder leaves. */
	boolean mayBeRetained(Hold last, long nowNanos) {
		return last.retainNanos() > 0 && isLeft(last, nowNanos) && last.isRenewed() && this.lastFailure == null
				&& this.unanswered == 0 && !this.lease.isPolled() && !this.lease.isMaybeTakenLate();
	}

	/**
	 * Return whether a caller may acquire a retained lock without a request to the store.
	 * The lease may be short, unless it has to outlive a holder that dies.
	 */
	boolean mayBeRetaken(Waiter next, long nowNanos) {
		long leaseMillis = (next.request().minHoldTime() != null) ? next.leaseMillis()
				: Math.min(next.leaseMillis(), IDLE_LEASE_MILLIS);
		return next.isRenewed() && hasHalfOf(leaseMillis, nowNanos);
	}

	/**
	 * Return whether at least half of a lease is left. While the renewal to a new length
	 * is due or under way, as after a handover, half of the current length is enough.
	 */
	private boolean hasHalfOf(long leaseMillis, long nowNanos) {
		long wholeMillis = this.lease.isAdopted() ? Math.min(leaseMillis, this.lease.length().toMillis()) : leaseMillis;
		return this.lease.remainingNanos(nowNanos) >= TimeUnit.MILLISECONDS.toNanos(wholeMillis) / 2
				&& !this.clock.wasJustSuspended() && this.store.isReachable();
	}

	/** Return the outcome for a waiter that leaves now. */
	Outcome refusal(long nowNanos) {
		return new Outcome.Busy(TimeUnit.NANOSECONDS.toMillis(this.lease.remainingNanos(nowNanos)));
	}

	// ---- retention

	/**
	 * Keep the lock although nobody holds it. A lock that is acquired again at once,
	 * again and again, sets a timer only from time to time.
	 */
	void retain(Hold last, long nowNanos) {
		enter(State.RETAINED);
		this.retainedSinceNanos = nowNanos;
		this.retainNanos = last.retainNanos();
		long idleNanos = nowNanos + Math.min(IDLE_NANOS, this.retainNanos);
		if (this.idleTimer == null || this.idleTimerNanos - idleNanos > 0) {
			lookAt(idleNanos);
		}
	}

	void retake() {
		enter(State.HELD);
		this.retaken = true;
		stopIdling();
	}

	private Effect look() {
		this.idleTimer = null;
		long now = this.clock.nanoTime();
		long idleNanos = isRetained() ? now - this.retainedSinceNanos : 0;
		if (isRetained() && idleNanos >= this.retainNanos) {
			return letGo();
		}
		this.idle = idleNanos >= IDLE_NANOS;
		if (isRetained()) {
			lookAt(this.retainedSinceNanos + (this.idle ? this.retainNanos : Math.min(IDLE_NANOS, this.retainNanos)));
		}
		if (!this.idle) {
			return ask();
		}
		Effect letGo = this.queue.idle(true);
		return shorten().then(letGo);
	}

	/** Shorten the lease, so that other JVMs do not wait for long if this JVM dies. */
	private Effect shorten() {
		boolean ofSession = this.store.traits().leases() == StoreTraits.Leases.SESSION;
		if (ofSession || this.shortened || attempt().leaseMillis() <= IDLE_LEASE_MILLIS) {
			return Effect.NONE;
		}
		this.shortened = true;
		this.lease.adopt(IDLE_LEASE_MILLIS);
		return renew();
	}

	private void lookAt(long atNanos) {
		if (this.idleTimer != null) {
			this.idleTimer.cancel();
		}
		this.idleTimerNanos = atNanos;
		this.idleTimer = this.clock.schedule(atNanos, () -> this.queue.transit(this::look));
	}

	private void stopIdling() {
		if (this.idle) {
			this.idle = false;
			this.queue.idle(false);
		}
	}

	// ---- renewal

	/**
	 * Schedule the first renewal, unless it has to be sent at once. A lock that was
	 * handed over has a short lease, which is enough for a holder that releases it soon.
	 * @param adopt the renewal to the length that the holder requests, if it is another
	 * one
	 */
	Effect start(Effect adopt) {
		long now = this.clock.nanoTime();
		if (adopt == Effect.NONE) {
			scheduleAt(afterThird(this.lease.baseNanos(), attempt()));
			return Effect.NONE;
		}
		if (isLongEnoughFor(this.holders.iterator().next(), now)) {
			scheduleAt(now + BRIEF_NANOS);
			return Effect.NONE;
		}
		return adopt;
	}

	/** Return whether a lease that is to be longer is enough for a while. */
	private boolean isLongEnoughFor(Hold holder, long nowNanos) {
		Duration length = this.lease.length();
		long wantedMillis = Math.min(attempt().leaseMillis(), holder.millisToMaximum(nowNanos));
		return isLeft(holder, nowNanos) && holder.isRenewed() && length.toMillis() < wantedMillis
				&& this.lease.remainingNanos(nowNanos) >= Math.max(length.toNanos() / 2, 10 * BRIEF_NANOS);
	}

	private Effect renew() {
		if (!isOwned()) {
			return Effect.NONE;
		}
		long now = this.clock.nanoTime();
		if (this.lease.isOver(now)) {
			Hold holder = holder();
			String end = (holder == null || holder.isRenewed()) ? "before it could be renewed"
					: "and was not to be renewed";
			return lose("its lease of " + attempt().leaseMillis() + " ms ran out " + end
					+ ((this.lastFailure != null) ? " (last failure: " + this.lastFailure + ")" : ""), true);
		}
		scheduleAt(this.lease.deadlineNanos());
		Hold holder = holder();
		return send((holder == null) ? this.lease.renewing(true, Long.MAX_VALUE, now)
				: this.lease.renewing(holder.isRenewed(), holder.millisToMaximum(now), now), now);
	}

	/** Revalidate the lease at the store after the machine was suspended. */
	Effect revalidate() {
		if (isRetained()) {
			return letGo();
		}
		if (!isHeld()) {
			return Effect.NONE;
		}
		long now = this.clock.nanoTime();
		Hold holder = Objects.requireNonNull(holder());
		return send(holder.isRenewed() ? this.lease.renewing(true, holder.millisToMaximum(now), now)
				: this.lease.renewingRemainder(now), now);
	}

	private Effect send(@Nullable LockOwner renewal, long nowNanos) {
		if (renewal == null) {
			return Effect.NONE;
		}
		boolean shortened = this.shortened;
		this.unanswered += shortened ? 1 : 0;
		return () -> LockStore.call(() -> this.store.renew(renewal))
			.whenComplete((reply, failure) -> this.queue.transit(() -> {
				this.unanswered -= (shortened && reply != null) ? 1 : 0;
				return answered(renewal, nowNanos, reply, failure);
			}));
	}

	private Effect answered(LockOwner renewal, long sentNanos, @Nullable RenewReply reply,
			@Nullable Throwable failure) {
		if (!isOwned()) {
			return Effect.NONE;
		}
		if (reply instanceof RenewReply.Renewed renewed) {
			return renewed(renewal, sentNanos, renewed);
		}
		if (reply instanceof RenewReply.NotOwner) {
			return lose("the store no longer knows it as the owner", false);
		}
		if (isRetained()) {
			return letGo();
		}
		this.lastFailure = (failure != null) ? StageFailure.cause(failure) : null;
		long now = this.clock.nanoTime();
		long pause = Math.min(LONGEST_RETRY_NANOS, this.lease.remainingNanos(now) / 4);
		scheduleAt(now + Math.max(SHORTEST_RETRY_NANOS, pause));
		return Effect.NONE;
	}

	private Effect renewed(LockOwner renewal, long sentNanos, RenewReply.Renewed reply) {
		this.lastFailure = null;
		long now = this.clock.nanoTime();
		long tookNanos = Math.max(now - sentNanos, this.lease.overdueNanos(now));
		long leftNanos = this.lease.remainingNanos(now);
		Duration length = this.lease.length();
		this.lease.renewed(renewal, sentNanos, reply);
		if (this.lease.isLatest(renewal, sentNanos)) {
			scheduleAt(afterThird(sentNanos, renewal));
		}
		Hold holder = holder();
		Effect notify = () -> this.notifier.renewed(holder, renewal, tookNanos, length, leftNanos);
		Effect after = this.queue.renewed(this, reply.queued());
		return notify.then((this.shortened && isHeld()) ? adopt(this.wantedMillis) : after);
	}

	private Effect lose(String reason, boolean mayBeOurs) {
		Hold holder = holder();
		boolean tooLong = holder != null && holder.isTooLong(this.clock.nanoTime());
		return this.queue.lose(this, tooLong ? "it was held for longer than its maximum hold time" : reason, mayBeOurs);
	}

	private void scheduleAt(long atNanos) {
		stop();
		long deadline = this.lease.deadlineNanos();
		this.timer = this.clock.schedule((atNanos - deadline < 0) ? atNanos : deadline,
				() -> this.queue.transit(this::renew));
	}

	private void stop() {
		if (this.timer != null) {
			this.timer.cancel();
		}
	}

	private void stopAll() {
		stop();
		if (this.idleTimer != null) {
			this.idleTimer.cancel();
		}
		stopIdling();
	}

	/**
	 * Return the time of the next renewal: a third of the lease after the request, or a
	 * hundredth earlier, so that many locks are renewed together, with one wake-up of
	 * each thread and one packet.
	 */
	private static long afterThird(long sentNanos, LockOwner attempt) {
		long leaseNanos = TimeUnit.MILLISECONDS.toNanos(attempt.leaseMillis());
		long thirdNanos = sentNanos + leaseNanos / 3;
		return thirdNanos - Math.floorMod(thirdNanos, Math.min(leaseNanos / 100, LONGEST_GRID_NANOS));
	}

	// ---- the end

	/**
	 * Release the lock. Once the release is sent, only its reply concerns this lease.
	 * @param hold the last holder, if the lock ever had one
	 * @param done completed once the store has replied or failed to reply
	 */
	Effect release(@Nullable Hold hold, CompletableFuture<Void> done) {
		enter(State.RELEASING);
		stopAll();
		LockOwner attempt = attempt();
		long token = this.lease.usedToken();
		long keptMillis = (hold == null) ? 0
				: Math.max(0, TimeUnit.NANOSECONDS.toMillis(hold.keptUntilNanos() - this.clock.nanoTime()));
		this.kept = (keptMillis > 0) ? hold : null;
		return () -> {
			LockStore.call(() -> this.store.release(attempt, token, keptMillis)).whenComplete((reply, failure) -> {
				try {
					this.queue.transit(() -> released(hold, reply));
				}
				finally {
					done.complete(null);
				}
			});
			this.queue.transit(() -> this.queue.releasing(this));
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
		Effect after = this.queue.released(this, confirmed, lost ? hold : null);
		return (reply == ReleaseReply.UNAWAITED) ? after.then(this.queue.unawaited()) : after;
	}

	/**
	 * Return the released hold for whose minimum hold time the lock stays held, if any.
	 */
	@Nullable Hold kept() {
		return this.kept;
	}

	/** Release the lock, which nobody holds. */
	Effect letGo() {
		return release(null, new CompletableFuture<>());
	}

	/** Let others share the lock. */
	Effect downgrade(CompletableFuture<Void> done) {
		return () -> LockStore.call(() -> this.store.downgrade(attempt(), this.lease.usedToken()))
			.whenComplete((reply, failure) -> done.complete(null));
	}

	/** Mark the lease as lost, and return its holders. */
	List<Hold> lost() {
		enter(State.LOST);
		stopAll();
		List<Hold> losers = holders();
		this.holders.clear();
		return losers;
	}

	private void enter(State next) {
		Assert.state(this.state.mayBecome(next), () -> "A lease that is " + this.state + " can't become " + next);
		this.state = next;
	}

	/**
	 * Calls of the store and notifications of users that follow a change of a lock's
	 * state, once the mutex of the lock is free.
	 */
	interface Effect {

		Effect NONE = () -> {
		};

		void run();

		default Effect then(Effect next) {
			if (this == NONE) {
				return next;
			}
			return (next == NONE) ? this : () -> {
				run();
				next.run();
			};
		}

	}

	/** The queue whose attempt owns the lease. */
	interface Queue {

		/** Make a change under the mutex, and run its effect afterwards. */
		void transit(Supplier<Effect> change);

		/**
		 * Note that the lease was renewed while a number of other attempts waited in the
		 * store.
		 */
		Effect renewed(OwnedLease owned, long queued);

		/** Note whether nobody has held the retained lock for a while. */
		Effect idle(boolean idle);

		/** Note that the release is sent. */
		Effect releasing(OwnedLease owned);

		/** Note that no other JVM waited for the lock when it was released. */
		Effect unawaited();

		/**
		 * Note that the release has ended, confirmed by the store or not; the lease may
		 * have been lost.
		 */
		Effect released(OwnedLease owned, boolean confirmed, @Nullable Hold loser);

		/** Lose the lease, although the store may still have this owner. */
		Effect lose(OwnedLease owned, String reason, boolean mayBeOurs);

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
