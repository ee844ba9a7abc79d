package io.github.lockboot.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockLostException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;
import io.github.lockboot.engine.store.LockStore.ReleaseReply;
import io.github.lockboot.engine.store.LockStore.RenewReply;

/**
 * The callers of this JVM that want one lock, first come, first served, and the one
 * attempt that stands for them at the store. Its states and those of the lease that the
 * attempt comes to own are drawn in docs/engine.md. All changes happen under one mutex,
 * and each answers with the {@link Effect} that follows once the mutex is free.
 * <p>
 * Passing a lease within a JVM follows lock cohorting (Dice, Marathe, Shavit: Lock
 * Cohorting, PPoPP 2012).
 */
final class LockQueue implements Hold.Keeper, LeaseKeeper.Owner, QueuedAttempts.Waiting {

	/** How long a lease goes from caller to caller while another JVM waits. */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final LockQueues queues;

	private final LockStore store;

	private final MonotonicClock clock;

	private final LockNotifier notifier;

	private final String lock;

	/** How many may hold the lock together with one of this queue. */
	private final int permits;

	/** Whether it is made for one caller. */
	private final boolean alone;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Set<Waiter> waiters = new LinkedHashSet<>();

	private final TimeSlice slice = new TimeSlice();

	private State state = State.NEW;

	/** Whether newcomers need another queue. */
	private boolean closed;

	private long seenToken;

	/** Present while {@link State#ASKING} or {@link State#WAITING}. */
	private @Nullable PendingAcquire pending;

	/** Present while {@link State#OWNED}. */
	private @Nullable OwnedLease owned;

	/** The owner name of ours behind which another JVM was last known to wait. */
	private volatile @Nullable String waitedBehind;

	LockQueue(LockQueues queues, String lock, int permits, boolean alone, long seenToken) {
		this.queues = queues;
		this.store = queues.store();
		this.clock = queues.clock();
		this.notifier = queues.notifier();
		this.lock = lock;
		this.permits = permits;
		this.alone = alone;
		this.seenToken = seenToken;
	}

	String lock() {
		return this.lock;
	}

	int permits() {
		return this.permits;
	}

	// ---- callers

	/** Return whether this queue took the caller; if not, another one is to be asked. */
	boolean admit(Waiter waiter) {
		Effect after;
		this.mutex.lock();
		try {
			joinHolders(waiter);
			if (this.closed) {
				return false;
			}
			after = take(waiter);
		}
		finally {
			this.mutex.unlock();
		}
		after.run();
		return true;
	}

	/**
	 * A caller's wait time is over. It goes away with what is known. One whose own first
	 * attempt is still without an answer goes away with the answer, if that does not take
	 * too long.
	 */
	void expire(Waiter waiter) {
		transit(() -> {
			long now = now();
			long graceNanos = (this.pending != null && first() == waiter) ? this.pending.graceNanos(now) : 0;
			if (graceNanos <= 0) {
				return remove(waiter);
			}
			waiter.leaveAtNextAnswer();
			MonotonicClock.Timer limit = this.clock.schedule(now + graceNanos, () -> expire(waiter));
			waiter.whenComplete((outcome, failure) -> limit.cancel());
			return Effect.NONE;
		});
	}

	/**
	 * A caller waits without end: it goes away only if the store fails all the time.
	 * @return after which time to look again
	 */
	long expireIfFailing(Waiter waiter, long patienceNanos) {
		long[] leftNanos = new long[1];
		transit(() -> {
			long failingNanos = (this.pending != null) ? this.pending.failingNanos(now()) : 0;
			leftNanos[0] = patienceNanos - failingNanos;
			return (leftNanos[0] <= 0) ? remove(waiter) : Effect.NONE;
		});
		return leftNanos[0];
	}

	/** A caller does not want the lock any more, even if it holds it by now. */
	void leave(Waiter waiter) {
		transit(() -> remove(waiter));
		if (waiter.join() instanceof Hold hold) {
			hold.discard();
		}
	}

	/** Refuse the waiters that shutdown does not admit any more. */
	void dismiss(ShutdownGate gate) {
		transit(() -> {
			this.waiters.removeIf((waiter) -> {
				Outcome refusal = gate.refusal(waiter);
				return refusal != null && waiter.complete(refusal);
			});
			return giveUpIfWaitingForNobody();
		});
	}

	/** Take the lock away from its holders. */
	void takeAway(String reason) {
		transit(() -> (this.owned != null && this.owned.isHeld()) ? lose(this.owned, reason, true) : Effect.NONE);
	}

	void report(ActivityReport report) {
		transit(() -> {
			this.waiters.forEach(report::add);
			if (this.owned != null) {
				this.owned.holders().forEach(report::add);
			}
			return Effect.NONE;
		});
	}

	// ---- pushes of the store

	/** An attempt that waited in the store owns the lock now. */
	void granted(LockPushes.Grant grant) {
		transit(() -> {
			PendingAcquire pending = this.pending;
			if (pending == null || !pending.attempt().id().equals(grant.attempt().id())) {
				return Effect.NONE; // pushed twice
			}
			pending.keep(grant);
			Lease lease = claim(pending);
			if (lease != null) {
				return own(lease);
			}
			// its window may be over; the answer to a request under way will show
			return pending.hasClaim() ? askAgainIfWaiting() : Effect.NONE;
		});
	}

	/** Somebody waits behind an attempt of this queue. */
	void queuedBehind(String owner) {
		this.waitedBehind = owner; // without the mutex, for which passing threads compete
	}

	/** The lock was taken away by force. */
	void taken(String owner) {
		transit(() -> (this.owned != null && this.owned.isHeld() && this.owned.isOf(owner))
				? lose(this.owned, "it was taken away by force", false) : Effect.NONE);
	}

	/** A push may have been missed, or it is time to ask again. */
	@Override
	public void askAgain() {
		transit(this::askAgainIfWaiting);
	}

	@Override
	public void kept(LockOwner attempt, long sentNanos, @Nullable AcquireReply reply, @Nullable Throwable failure) {
		transit(() -> {
			PendingAcquire waiting = waiting();
			if (waiting == null || !waiting.attempt().id().equals(attempt.id())) {
				return Effect.NONE;
			}
			if (failure == null && (reply == null || waiting.isNewerThan(reply))) {
				return askAgainIfWaiting();
			}
			waiting.answered(now(), sentNanos, reply, failure, true);
			return pause(waiting);
		});
	}

	/** The machine was suspended: what is held may be so no more. */
	void revalidate() {
		transit(() -> {
			OwnedLease owned = this.owned;
			Hold hold = (owned != null) ? owned.firstHolder() : null;
			if (owned == null || hold == null) {
				return Effect.NONE;
			}
			long now = now();
			return send(owned, hold.isRenewed() ? owned.lease().renewing(true, hold.millisToMaximum(now), now)
					: owned.lease().renewingRemainder(now), now);
		});
		askAgain();
	}

	// ---- the keeper of the lease

	@Override
	public void renew(Lease lease, long nowNanos) {
		transit(() -> {
			OwnedLease owned = held(lease);
			Hold hold = (owned != null) ? owned.firstHolder() : null;
			if (owned == null || hold == null) {
				return Effect.NONE;
			}
			return send(owned, lease.renewing(hold.isRenewed(), hold.millisToMaximum(nowNanos), nowNanos), nowNanos);
		});
	}

	private static Effect send(OwnedLease owned, @Nullable LockOwner renewal, long nowNanos) {
		return (renewal != null) ? () -> owned.keeper().send(renewal, nowNanos) : Effect.NONE;
	}

	@Override
	public void renewed(Lease lease, LockOwner renewed, long sentNanos, RenewReply.Renewed reply) {
		transit(() -> {
			OwnedLease owned = held(lease);
			Hold hold = (owned != null) ? owned.firstHolder() : null;
			if (hold == null) {
				return Effect.NONE;
			}
			long now = now();
			long tookNanos = Math.max(now - sentNanos, lease.overdueNanos(now));
			long leftNanos = lease.remainingNanos(now);
			Duration length = lease.length();
			lease.renewed(renewed, sentNanos, reply);
			if (reply.queued() > 0) {
				queuedBehind(renewed.id());
			}
			return () -> this.notifier.renewed(hold, renewed, tookNanos, length, leftNanos);
		});
	}

	@Override
	public void lost(Lease lease, String reason, boolean mayBeOurs) {
		transit(() -> {
			OwnedLease owned = held(lease);
			Hold hold = (owned != null) ? owned.firstHolder() : null;
			if (owned == null || hold == null) {
				return Effect.NONE;
			}
			return lose(owned, hold.isTooLong(now()) ? "it was held for longer than its maximal hold time" : reason,
					mayBeOurs);
		});
	}

	private @Nullable OwnedLease held(Lease lease) {
		return (this.owned != null && this.owned.lease() == lease && this.owned.isHeld()) ? this.owned : null;
	}

	// ---- the holders

	@Override
	public long nanoTime() {
		return now();
	}

	@Override
	public void release(Hold hold) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		if (end(hold, done)) {
			Hold.awaitAnswer(done);
			this.notifier.released(hold);
		}
	}

	@Override
	public CompletionStage<Void> releaseAsync(Hold hold) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		if (!end(hold, done)) {
			return CompletableFuture.completedStage(null);
		}
		return done.thenRunAsync(() -> this.notifier.released(hold), this.notifier::deliver);
	}

	@Override
	public boolean end(Hold hold, CompletableFuture<Void> done) {
		Effect after;
		this.mutex.lock();
		try {
			OwnedLease owned = this.owned;
			if (owned == null || !owned.isHeldBy(hold)) {
				return false;
			}
			after = end(owned, hold, done);
		}
		finally {
			this.mutex.unlock();
		}
		after.run();
		return true;
	}

	private Effect end(OwnedLease owned, Hold hold, CompletableFuture<Void> done) {
		Effect complete = () -> done.complete(null);
		if (owned.lease().isOver(now())) {
			return lose(owned, "its lease had run out when it was given back", true).then(complete);
		}
		hold.released();
		Waiter next = first();
		long token = (next != null && mayPass(owned, hold, next)) ? owned.lease().nextToken() : -1;
		boolean last = owned.remove(hold);
		if (next != null && token >= 0) {
			grant(owned, next, token);
			return owned.adopt(next.leaseMillis()).then(complete);
		}
		return last ? giveBack(owned, hold, done) : complete;
	}

	private boolean mayPass(OwnedLease owned, Hold hold, Waiter next) {
		long now = now();
		boolean turnOver = isWaitedBehind(owned) && owned.ownedForNanos(now) >= TURN_NANOS;
		boolean sliceOver = owned.lease().isPolled() && this.slice.isOver(now);
		return !turnOver && !sliceOver && owned.mayBePassed(hold, next, now);
	}

	@Override
	public void downgrade(Hold hold) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		transit(() -> {
			OwnedLease owned = this.owned;
			if (owned == null || !owned.isHeldBy(hold)) {
				return () -> done.complete(null);
			}
			return () -> LockStore.ask(() -> this.store.downgrade(owned.attempt(), owned.lease().lastToken()))
				.whenComplete((reply, failure) -> done.complete(null));
		});
		Hold.awaitAnswer(done);
	}

	@Override
	public void loseIfOver(Hold hold) {
		transit(() -> (this.owned != null && this.owned.isHeldBy(hold) && this.owned.lease().isOver(now()))
				? lose(this.owned, "its lease ran out", true) : Effect.NONE);
	}

	@Override
	public void callBack(Runnable callback) {
		this.notifier.callBack(callback);
	}

	// ---- asking for the lock

	private Effect take(Waiter waiter) {
		if (waiter.isDone()) {
			return Effect.NONE; // joined
		}
		if (waiter.isLeaving() && isKnownToBeBusy()) {
			waiter.complete(refusal());
			return Effect.NONE;
		}
		this.waiters.add(waiter);
		return (this.state == State.NEW) ? askFor(waiter) : Effect.NONE;
	}

	private Effect askFor(Waiter first) {
		return send(newPending(first, now()), first);
	}

	private PendingAcquire newPending(Waiter first, long sendNanos) {
		PendingAcquire pending = new PendingAcquire(this.queues.newAttempt(this, first.leaseMillis()), sendNanos);
		this.pending = pending;
		return pending;
	}

	private Effect send(PendingAcquire pending, Waiter first) {
		enter(State.ASKING);
		long sentNanos = now();
		pending.sending(sentNanos, first);
		LockOwner attempt = pending.attempt();
		Queueing queueing = pending.queueing();
		long seenToken = this.seenToken;
		return () -> LockStore.ask(() -> this.store.acquire(attempt, seenToken, queueing))
			.whenComplete((reply, failure) -> transit(() -> {
				Throwable cause = (failure != null) ? StageFailure.cause(failure) : null;
				pending.answered(now(), sentNanos, reply, cause, cause != null && this.store.isRefusal(cause));
				if (this.pending != pending) {
					return answeredLate(pending, reply);
				}
				return (reply instanceof AcquireReply.Owned owned) ? owned(new Lease(attempt, sentNanos, owned))
						: notOwned(pending, reply);
			}));
	}

	/**
	 * A grant has overtaken the answer. If the attempt is over by now, it may own the
	 * lock anew, or wait for it.
	 */
	private Effect answeredLate(PendingAcquire pending, @Nullable AcquireReply reply) {
		boolean isOver = this.owned == null || !this.owned.isOf(pending.attempt().id());
		boolean isNoRefusal = reply instanceof AcquireReply.Owned || reply instanceof AcquireReply.Queued;
		return (isOver && (isNoRefusal || pending.isUnknown())) ? () -> this.queues.abandon(pending) : Effect.NONE;
	}

	private Effect owned(Lease lease) {
		if (!lease.isOver(now())) {
			return own(lease);
		}
		// this JVM stood still between request and answer
		this.seenToken = lease.lastToken();
		Effect abandon = () -> this.queues.abandon(lease);
		return abandon.then(goOn(false));
	}

	/**
	 * Claim a grant, unless this JVM has given out its token already: then the store has
	 * forgotten tokens in a fail-over. A request sends it the highest one.
	 */
	private @Nullable Lease claim(PendingAcquire pending) {
		Lease lease = pending.claim(now());
		long lowest = (this.permits > 1) ? this.seenToken : this.seenToken + 1;
		return (lease != null && lease.lastToken() >= lowest) ? lease : null;
	}

	private Effect notOwned(PendingAcquire pending, @Nullable AcquireReply reply) {
		Lease lease = claim(pending);
		if (lease != null) {
			return own(lease);
		}
		this.slice.missed();
		dismissLeaving();
		Waiter first = first();
		if (first == null) {
			return giveUp(pending);
		}
		boolean mayQueueNow = reply instanceof AcquireReply.Busy && !pending.queueing().wanted();
		return (mayQueueNow || pending.hasClaim()) ? send(pending, first) : pause(pending);
	}

	private Effect pause(PendingAcquire pending) {
		enter(State.WAITING);
		long againNanos = pending.againNanos(now());
		pending.stop();
		pending.pausing(pending.place().isAgain()
				? this.queues.queued().add(this, pending.attempt(), pending.place().sinceMicros(), againNanos)
				: this.clock.schedule(againNanos, this::askAgain));
		return Effect.NONE;
	}

	private Effect askAgainIfWaiting() {
		PendingAcquire waiting = waiting();
		Waiter first = first();
		return (waiting != null && first != null) ? send(waiting, first) : Effect.NONE;
	}

	private Effect remove(Waiter waiter) {
		if (!this.waiters.remove(waiter)) {
			return Effect.NONE;
		}
		waiter.complete(refusal());
		return giveUpIfWaitingForNobody();
	}

	private Effect giveUpIfWaitingForNobody() {
		PendingAcquire waiting = waiting();
		return (waiting != null && this.waiters.isEmpty()) ? giveUp(waiting) : Effect.NONE;
	}

	/** The last waiter has gone: forget the attempt, in the store too. */
	private Effect giveUp(PendingAcquire pending) {
		pending.stop();
		finish();
		if (pending.leavesTraces()) {
			return () -> this.queues.abandon(pending);
		}
		this.queues.forget(pending.attempt());
		return Effect.NONE;
	}

	// ---- owning the lock

	private Effect own(Lease lease) {
		if (this.pending != null) {
			this.pending.stop();
			if (this.pending.isUnknown()) {
				lease.mayBeTakenLate();
			}
			this.pending = null;
		}
		if (lease.queued() > 0) {
			queuedBehind(lease.attempt().id());
		}
		this.seenToken = lease.lastToken();
		this.slice.owned(now());
		enter(State.OWNED);
		OwnedLease owned = new OwnedLease(lease, new LeaseKeeper(this.store, this.clock, this, lease), isShared(),
				now());
		this.owned = owned;
		Effect after = begin(owned);
		dismissLeaving();
		return after;
	}

	private Effect begin(OwnedLease owned) {
		Waiter first = first();
		if (first == null) {
			return giveBack(owned, null, new CompletableFuture<>());
		}
		owned.keeper().start();
		Effect after = Effect.NONE;
		for (Waiter next = first; next != null; next = isShared() ? first() : null) {
			grant(owned, next, owned.lease().lastToken());
			Effect adopt = owned.adopt(next.leaseMillis());
			after = (adopt != Effect.NONE) ? adopt : after;
		}
		return after;
	}

	private void grant(OwnedLease owned, Waiter waiter, long token) {
		Hold hold = new Hold(this, owned.lease(), waiter.request(), waiter.call().thread(), token,
				this.queues.fencingTokens().exclusive(token), now());
		owned.add(hold);
		this.seenToken = token;
		this.waiters.remove(waiter);
		waiter.complete(hold);
	}

	/**
	 * Let a caller join the holders of a shared lock. If another JVM waits, the caller
	 * has to queue in the store, for which it needs another queue here.
	 */
	private void joinHolders(Waiter waiter) {
		OwnedLease owned = this.owned;
		if (this.closed || !isShared() || owned == null || !owned.isHeld()) {
			return;
		}
		if (!isWaitedBehind(owned) && owned.mayBeJoined(waiter.leaseMillis(), now())) {
			grant(owned, waiter, owned.lease().lastToken());
		}
		else {
			close();
		}
	}

	private Effect giveBack(OwnedLease owned, @Nullable Hold hold, CompletableFuture<Void> done) {
		long now = now();
		owned.releasing(now);
		LockOwner attempt = owned.attempt();
		long token = owned.lease().lastToken();
		long keptMillis = (hold != null) ? Math.max(0, TimeUnit.NANOSECONDS.toMillis(hold.keptUntilNanos() - now)) : 0;
		return () -> LockStore
			.ask(() -> (keptMillis == 0) ? this.store.release(attempt, token)
					: this.store.releaseLater(attempt.withLeaseMillis(keptMillis), token))
			.whenComplete((reply, failure) -> {
				try {
					transit(() -> givenBack(owned, hold, reply, keptMillis > 0));
				}
				finally {
					done.complete(null);
				}
			});
	}

	/**
	 * The store has answered to a release. If it has not, or a late request may take the
	 * lock again, releases go on in the background and nobody waits for them; a lock that
	 * was to stay taken is left to its lease.
	 */
	private Effect givenBack(OwnedLease owned, @Nullable Hold hold, @Nullable ReleaseReply reply, boolean kept) {
		boolean lost = reply == ReleaseReply.NOT_OWNER && hold != null;
		boolean abandon = !kept && (reply == null || owned.lease().isMaybeTakenLate());
		if (lost && !abandon) {
			owned.lost();
		}
		else {
			owned.released();
		}
		Effect next = goOn(owned.lease().isPolled());
		if (abandon) {
			Effect release = () -> this.queues.abandon(owned.lease());
			return release.then(next);
		}
		this.queues.forget(owned.attempt());
		return (lost && hold != null)
				? notifyLost(owned, hold, "it was not owned any more when it was given back").then(next) : next;
	}

	/**
	 * The lease is over.
	 * @param mayBeOurs whether the store may still know us as the owner
	 */
	private Effect lose(OwnedLease owned, String reason, boolean mayBeOurs) {
		List<Hold> losers = owned.lost();
		String loss = reason + ((losers.size() > 1) ? "; " + losers.size() + " holders" : "");
		Effect after = Effect.NONE;
		for (Hold loser : losers) {
			after = after.then(notifyLost(owned, loser, loss));
		}
		if (mayBeOurs) {
			after = after.then(() -> this.queues.abandon(owned.lease()));
		}
		Effect next = goOn(owned.lease().isPolled());
		if (!mayBeOurs) {
			this.queues.forget(owned.attempt());
		}
		return after.then(next);
	}

	private Effect notifyLost(OwnedLease owned, Hold hold, String reason) {
		long now = now();
		LockLostException loss = new LockLostException(this.lock, reason + "; " + owned.lease().history(now),
				Duration.ofNanos(now - hold.sinceNanos()), hold.fencingToken());
		List<Runnable> callbacks = hold.lost(loss);
		return () -> this.notifier.lost(hold, loss, callbacks);
	}

	/**
	 * The lease is over, or came too late. The waiters ask for the next one, at once or
	 * after a pause for other JVMs that poll.
	 */
	private Effect goOn(boolean polled) {
		this.owned = null;
		Waiter first = first();
		if (first == null) {
			finish();
			return Effect.NONE;
		}
		if (!polled || !this.slice.isOver(now())) {
			return askFor(first);
		}
		enter(State.WAITING);
		long sendNanos = this.slice.pause(now());
		newPending(first, sendNanos).pausing(this.clock.schedule(sendNanos, this::askAgain));
		return Effect.NONE;
	}

	// ---- states

	private void transit(Supplier<Effect> transition) {
		Effect after;
		this.mutex.lock();
		try {
			after = transition.get();
		}
		finally {
			this.mutex.unlock();
		}
		after.run();
	}

	private void enter(State next) {
		Assert.state(this.state.mayBecome(next), () -> "A queue that is " + this.state + " can't become " + next);
		this.state = next;
	}

	private void finish() {
		enter(State.ENDED);
		this.pending = null;
		close();
	}

	private void close() {
		this.closed = true;
		this.queues.remove(this, this.seenToken);
	}

	private long now() {
		return this.clock.nanoTime();
	}

	private @Nullable Waiter first() {
		Iterator<Waiter> iterator = this.waiters.iterator();
		return iterator.hasNext() ? iterator.next() : null;
	}

	/** Refuse those that wanted to know the next answer only. */
	private void dismissLeaving() {
		Outcome refusal = refusal();
		this.waiters.removeIf((waiter) -> waiter.isLeaving() && waiter.complete(refusal));
	}

	private boolean isShared() {
		return this.permits > 1 && !this.alone;
	}

	/**
	 * Whether another JVM waits behind the owner, as far as is known. An answer may say
	 * so before or after the push does, so nothing ever takes it back: the next attempt
	 * has another name.
	 */
	private boolean isWaitedBehind(OwnedLease owned) {
		return owned.attempt().id().equals(this.waitedBehind);
	}

	private boolean isKnownToBeBusy() {
		return this.state == State.WAITING || (this.owned != null && this.owned.isHeld());
	}

	private @Nullable PendingAcquire waiting() {
		return (this.state == State.WAITING) ? this.pending : null;
	}

	private Outcome refusal() {
		if (this.owned != null) {
			return this.owned.refusal(now());
		}
		return (this.pending != null) ? this.pending.refusal(now()) : new Outcome.Busy(-1);
	}

	/**
	 * What this JVM does about a lock. The page docs/engine.md draws it.
	 */
	enum State {

		/** Nobody has asked for the lock yet. */
		NEW,

		/** The store has a request for the lock and has not answered. */
		ASKING,

		/** The store queues the attempt, or the next request has to wait for its time. */
		WAITING,

		/** An attempt owns the lock: there is an {@link OwnedLease}. */
		OWNED,

		/** Nobody waits and nothing is owned. A new queue serves the next caller. */
		ENDED;

		boolean mayBecome(State next) {
			return switch (this) {
				case NEW -> next == ASKING;
				case ASKING, WAITING -> next != NEW;
				case OWNED -> next == ASKING || next == WAITING || next == ENDED;
				case ENDED -> false;
			};
		}

	}

}
