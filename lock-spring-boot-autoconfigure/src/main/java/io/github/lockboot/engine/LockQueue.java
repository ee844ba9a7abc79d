package io.github.lockboot.engine;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

import io.github.lockboot.LockLostException;
import io.github.lockboot.concurrent.MonotonicClock;
import io.github.lockboot.concurrent.StageFailure;
import io.github.lockboot.engine.OwnedLease.Effect;
import io.github.lockboot.engine.store.LockOwner;
import io.github.lockboot.engine.store.LockPushes;
import io.github.lockboot.engine.store.LockStore;
import io.github.lockboot.engine.store.LockStore.AcquireReply;
import io.github.lockboot.engine.store.LockStore.Queueing;

/**
 * The callers of this JVM that request one lock, in order of arrival, and the one attempt
 * that represents these callers in the store: a {@link PendingAcquire} until the attempt
 * owns the lock, then an {@link OwnedLease}. The page docs/engine.md shows the states of
 * both. All changes happen under one mutex, and each change returns the {@link Effect}
 * that follows once the mutex is free.
 * <p>
 * Passing a lease within a JVM follows lock cohorting (Dice, Marathe, Shavit: Lock
 * Cohorting, PPoPP 2012).
 */
final class LockQueue implements Hold.Queue, OwnedLease.Queue, QueuedAttempts.Waiting {

	/** How long a lease is passed on within this JVM while another JVM waits. */
	private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	/**
	 * How long a lease is passed on while a waiter polls, and how long callers may join
	 * the holders of a shared lock for which others may poll.
	 */
	private static final long POLLED_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

	private final LockEngine engine;

	private final LockStore store;

	private final MonotonicClock clock;

	private final String lock;

	/** How many callers may hold the lock together, including one of this queue. */
	private final int permits;

	/** Whether the queue is for one caller only. */
	private final boolean alone;

	private final ReentrantLock mutex = new ReentrantLock();

	private final Set<Waiter> waiters = new LinkedHashSet<>();

	private State state = State.NEW;

	/** Whether further callers need another queue. */
	private boolean closed;

	/** Present while {@link State#ACQUIRING} or {@link State#WAITING}. */
	private @Nullable PendingAcquire pending;

	/** Present while {@link State#OWNED}. */
	private volatile @Nullable OwnedLease owned;

	/** Present if waiters of the store poll. */
	private final @Nullable TimeSlice slice;

	private Memory memory;

	/** How long a lease is passed on if another JVM waits. */
	private long turnNanos = TURN_NANOS;

	/** The attempt of this JVM behind which another JVM was last known to wait. */
	private volatile @Nullable String waitedBehind;

	LockQueue(LockEngine engine, String lock, int permits, boolean alone, Memory memory) {
		this.engine = engine;
		this.store = engine.store();
		this.clock = engine.clock();
		this.lock = lock;
		this.permits = permits;
		this.alone = alone;
		this.memory = memory;
		this.slice = (permits == 1 || memory.slice() == null) ? memory.slice() : new TimeSlice();
	}

	String lock() {
		return this.lock;
	}

	int permits() {
		return this.permits;
	}

	// ---- callers

	/**
	 * Admit a caller, or return false if the queue is closed and the caller needs another
	 * queue.
	 */
	boolean admit(Waiter waiter) {
		Effect after;
		this.mutex.lock();
		try {
			after = joinHolders(waiter);
			if (this.closed && !waiter.isDone()) {
				return false;
			}
			after = waiter.isDone() ? after : add(waiter);
		}
		finally {
			this.mutex.unlock();
		}
		after.run();
		return true;
	}

	private Effect add(Waiter waiter) {
		boolean busy = this.state == State.WAITING || (this.owned != null && this.owned.isHeld());
		if (waiter.isLeaving() && busy) {
			waiter.complete(refusal());
			return Effect.NONE;
		}
		this.waiters.add(waiter);
		if (this.owned != null && this.owned.isRetained()) {
			return retake(this.owned, waiter);
		}
		return (this.state == State.NEW) ? begin(waiter) : Effect.NONE;
	}

	/**
	 * Request the lock for the first caller, at once unless other JVMs take precedence.
	 */
	private Effect begin(Waiter first) {
		long now = now();
		long sendNanos = (this.slice == null || first.isLeaving()) ? now
				: this.slice.requested(now, first.call().leftNanos(now));
		return (sendNanos - now <= 0) ? send(newPending(first, now), first, first.blockNanos())
				: sendLater(first, sendNanos);
	}

	private Effect sendLater(Waiter first, long sendNanos) {
		enter(State.WAITING);
		newPending(first, sendNanos).pausing(this.clock.schedule(sendNanos, this::requestAgain));
		return Effect.NONE;
	}

	/**
	 * Let a caller join the holders of a shared lock. If another JVM waits, the caller
	 * has to queue in the store, and needs another queue in this JVM.
	 */
	private Effect joinHolders(Waiter waiter) {
		OwnedLease owned = this.owned;
		if (this.closed || !isShared() || owned == null || !owned.isHeld()) {
			return Effect.NONE;
		}
		if (!isWaitedBehind(owned) && !isPolledForTooLong(owned) && owned.mayBeJoined(waiter.leaseMillis(), now())) {
			grant(owned, waiter, owned.lease().lastToken());
			return owned.ask();
		}
		close();
		return Effect.NONE;
	}

	/**
	 * Return whether others that poll may have waited for some time without the knowledge
	 * of this JVM.
	 */
	private boolean isPolledForTooLong(OwnedLease owned) {
		return owned.lease().isPolled() && owned.ownedForNanos(now()) >= POLLED_TURN_NANOS;
	}

	/**
	 * End the wait of a caller whose wait time is over. The caller leaves with the
	 * outcome known so far. If the first request of the first caller has no reply yet,
	 * the caller leaves with the reply, unless the reply takes too long.
	 */
	void expire(Waiter waiter) {
		transit(() -> {
			long now = now();
			long graceNanos = (this.pending != null && first() == waiter) ? this.pending.graceNanos(now) : 0;
			if (graceNanos <= 0) {
				return remove(waiter);
			}
			waiter.leaveAtNextReply();
			MonotonicClock.Timer limit = this.clock.schedule(now + graceNanos, () -> expire(waiter));
			waiter.whenComplete((outcome, failure) -> limit.cancel());
			return Effect.NONE;
		});
	}

	/**
	 * Let a caller whose wait time has no limit leave if the store fails all the time,
	 * and return after which time to check again.
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

	/**
	 * Remove a caller that has cancelled its request. The caller may hold the lock by
	 * now.
	 */
	void leave(Waiter waiter) {
		transit(() -> remove(waiter));
		if (waiter.join() instanceof Hold hold) {
			hold.discard();
		}
	}

	private Effect remove(Waiter waiter) {
		if (!this.waiters.remove(waiter)) {
			return Effect.NONE;
		}
		waiter.complete(refusal());
		return giveUpIfWaitingForNobody();
	}

	/** Refuse the waiters that shutdown no longer admits. */
	void dismiss(Function<Waiter, @Nullable Outcome> refusals) {
		transit(() -> {
			this.waiters.removeIf((waiter) -> {
				Outcome refusal = refusals.apply(waiter);
				return refusal != null && waiter.complete(refusal);
			});
			return letGoIf(true).then(giveUpIfWaitingForNobody());
		});
	}

	void report(List<Hold> holds, List<Waiter> waiters) {
		transit(() -> {
			waiters.addAll(this.waiters);
			if (this.owned != null) {
				holds.addAll(this.owned.holders());
			}
			return Effect.NONE;
		});
	}

	// ---- acquiring

	private PendingAcquire newPending(Waiter first, long sendNanos) {
		PendingAcquire pending = new PendingAcquire(this.engine.newAttempt(this, first), sendNanos);
		this.pending = pending;
		return pending;
	}

	private Effect send(PendingAcquire pending, Waiter first) {
		return send(pending, first, 0);
	}

	/** Request the lock, on a thread that may block in the store for a time. */
	private Effect send(PendingAcquire pending, Waiter first, long blockNanos) {
		enter(State.ACQUIRING);
		long sentNanos = now();
		pending.sending(sentNanos, first);
		LockOwner attempt = pending.attempt();
		Queueing queueing = pending.queueing();
		long seenToken = this.memory.seenToken().get();
		return () -> LockStore.call(() -> this.store.acquire(attempt, seenToken, queueing, blockNanos))
			.whenComplete((reply, failure) -> transit(() -> {
				Throwable cause = (failure != null) ? StageFailure.cause(failure) : null;
				pending.answered(now(), sentNanos, reply, cause, cause != null && this.store.isRefusal(cause));
				if (this.pending != pending) {
					return answeredLate(pending, reply);
				}
				Waiter next = first();
				if (cause != null && next != null && this.store.isConnectionLost(cause) && pending.repeatsAtOnce()) {
					return send(pending, next);
				}
				return (reply instanceof AcquireReply.Owned owned)
						? owned(new Lease(attempt, sentNanos, owned), seenToken) : notOwned(pending, reply);
			}));
	}

	/**
	 * Handle a reply that a grant has overtaken. If the attempt is over by now, it may
	 * own the lock again, or wait for it. While the release of the attempt is under way,
	 * a second release could come first and make the first one look like a loss. A lock
	 * that is kept for a minimum hold time is left to its lease. Only a reply from before
	 * the grant shows that nobody else has held the lock since.
	 */
	private Effect answeredLate(PendingAcquire pending, @Nullable AcquireReply reply) {
		boolean isNoRefusal = reply instanceof AcquireReply.Owned || reply instanceof AcquireReply.Queued;
		OwnedLease owned = pending.owned();
		if (!(isNoRefusal || pending.isUnknown()) || (owned != null && owned.kept() != null)) {
			return Effect.NONE;
		}
		if (owned != null && (owned.isReleasing() || owned.isOwned())) {
			if (owned.isReleasing() || pending.isUnknown()) {
				owned.lease().mayBeTakenLate();
			}
			else if (reply instanceof AcquireReply.Queued && pending.hasClaim()) {
				owned.lease().requested(false);
			}
			return Effect.NONE;
		}
		return () -> abandon(pending);
	}

	/**
	 * Own the lock. A store that has lost tokens may reply with a token that another
	 * queue of this JVM has issued since the request was sent.
	 */
	private Effect owned(Lease lease, long sentSeenToken) {
		boolean issued = issue(lease.lastToken()) || lease.lastToken() <= sentSeenToken;
		if (issued && !lease.isOver(now())) {
			return own(lease);
		}
		// or this JVM was suspended between request and reply
		Effect abandon = () -> abandon(lease);
		return abandon.then(goOn(false));
	}

	private Effect notOwned(PendingAcquire pending, @Nullable AcquireReply reply) {
		Lease lease = claim(pending);
		if (lease != null) {
			return own(lease);
		}
		if (this.slice != null) {
			this.slice.reset();
		}
		dismissLeaving();
		Waiter first = first();
		if (first == null) {
			return giveUp(pending);
		}
		boolean mayQueueNow = reply instanceof AcquireReply.Busy && !pending.queueing().wanted();
		return (mayQueueNow || pending.hasClaim() || pending.isNotified()) ? send(pending, first) : pause(pending);
	}

	private Effect pause(PendingAcquire pending) {
		enter(State.WAITING);
		long againNanos = pending.againNanos(now(), this.clock.random());
		pending.stop();
		pending.pausing(pending.place().isAgain()
				? this.engine.queuedAttempts().add(this, pending.attempt(), pending.place().sinceMicros(), againNanos)
				: this.clock.schedule(againNanos, this::requestAgain));
		return Effect.NONE;
	}

	/**
	 * Request the lock again, because a push may have been missed, or because it is time
	 * for the next request.
	 */
	@Override
	public void requestAgain() {
		transit(this::requestAgainIfWaiting);
	}

	/**
	 * Note that the lock may be free. A queue that gives other JVMs precedence has not
	 * sent a request yet, and continues its pause.
	 */
	void releasedElsewhere() {
		transit(() -> (this.pending != null && this.pending.notice()) ? requestAgainIfWaiting() : Effect.NONE);
	}

	/** Repeat the request, because pushes may have been missed. */
	void missed() {
		transit(() -> letGoIf(true).then(requestAgainIfWaiting()));
	}

	private Effect requestAgainIfWaiting() {
		PendingAcquire waiting = waiting();
		Waiter first = first();
		return (waiting != null && first != null) ? send(waiting, first) : Effect.NONE;
	}

	@Override
	public void kept(LockOwner attempt, long sentNanos, @Nullable AcquireReply reply, @Nullable Throwable failure) {
		transit(() -> {
			PendingAcquire waiting = waiting();
			if (waiting == null || !waiting.attempt().id().equals(attempt.id())) {
				// the attempt may have been queued again after it had left
				return this.engine.isKnown(attempt) ? Effect.NONE : () -> this.engine.abandon(attempt, failure == null);
			}
			if (failure == null && (reply == null || waiting.isNewerThan(reply))) {
				return requestAgainIfWaiting();
			}
			waiting.answered(now(), sentNanos, reply, failure, true);
			return pause(waiting);
		});
	}

	/** Note that an attempt that waited in the store owns the lock now. */
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
			// the claim window may be over; the reply to a request under way will show
			return pending.hasClaim() ? requestAgainIfWaiting() : Effect.NONE;
		});
	}

	/**
	 * Claim a grant, unless this JVM has already issued its token: then the store has
	 * lost tokens in a fail-over, and a request sends the highest token to the store.
	 */
	private @Nullable Lease claim(PendingAcquire pending) {
		Lease lease = pending.claim(now());
		return (lease != null && issue(lease.lastToken())) ? lease : null;
	}

	/**
	 * Issue a token, unless this JVM has already issued it or a higher one. Callers that
	 * share a lock may have the same token.
	 */
	private boolean issue(long token) {
		long seenToken = this.memory.seenToken().getAndAccumulate(token, Math::max);
		return (this.permits > 1) ? token >= seenToken : token > seenToken;
	}

	@Override
	public void seen(long storeToken) {
		this.memory.seenToken().accumulateAndGet(storeToken, Math::max);
	}

	/** Issue the next reserved token, or return -1 if no token is reserved. */
	private long issueNext(Lease lease) {
		long token = lease.nextToken();
		return (token >= 0 && issue(token)) ? token : -1;
	}

	private Effect giveUpIfWaitingForNobody() {
		PendingAcquire waiting = waiting();
		return (waiting != null && this.waiters.isEmpty()) ? giveUp(waiting) : Effect.NONE;
	}

	/** Forget the attempt, also in the store, because the last waiter has left. */
	private Effect giveUp(PendingAcquire pending) {
		pending.stop();
		finish();
		if (pending.leavesTraces()) {
			return () -> abandon(pending);
		}
		this.engine.forget(pending.attempt());
		return Effect.NONE;
	}

	// ---- owning the lock

	private Effect own(Lease lease) {
		PendingAcquire pending = this.pending;
		this.pending = null;
		if (pending != null && pending.isUnknown()) {
			lease.mayBeTakenLate();
		}
		lease.requested(pending != null && pending.isUnderWay());
		enter(State.OWNED);
		OwnedLease owned = new OwnedLease(this, this.store, this.clock, this.engine.notifier(), lease, isShared());
		this.owned = owned;
		if (pending != null) {
			pending.granted(owned);
		}
		renewed(owned, lease.queued());
		Effect after = begin(owned);
		if (pending != null) { // only now, because the caller that was woken already runs
			pending.stop();
		}
		dismissLeaving();
		return after;
	}

	private Effect begin(OwnedLease owned) {
		Waiter first = first();
		if (first == null) {
			return owned.letGo();
		}
		Effect after = Effect.NONE;
		for (Waiter next = first; next != null; next = isShared() ? first() : null) {
			grant(owned, next, owned.lease().lastToken());
			Effect adopt = owned.adopt(next.leaseMillis());
			after = (adopt != Effect.NONE) ? adopt : after;
		}
		return owned.start(after);
	}

	private void grant(OwnedLease owned, Waiter waiter, long token) {
		Hold hold = new Hold(this, owned.lease(), waiter, this.engine.fencingTokens(), token, now());
		owned.add(hold);
		this.waiters.remove(waiter);
		waiter.complete(hold);
	}

	@Override
	public Effect renewed(OwnedLease owned, long queued) {
		if (queued > 0) {
			this.waitedBehind = owned.attempt().id();
		}
		this.turnNanos = (queued == LockStore.POLLED_QUEUE) ? POLLED_TURN_NANOS : TURN_NANOS;
		if (this.slice != null && owned.lease().isPolled()) {
			this.slice.owned(now());
		}
		else if (this.slice != null) {
			this.slice.notPolled();
		}
		return isWaitedBehind(owned) ? recall() : letGoIf(owned.lease().isPolled());
	}

	/** Note that another JVM waits behind an attempt of this queue. */
	void queuedBehind(String attempt) {
		// without the mutex, for which passing threads compete
		this.waitedBehind = attempt;
		OwnedLease owned = this.owned;
		if (owned != null && owned.isRetained()) {
			transit(() -> (this.owned != null && isWaitedBehind(this.owned)) ? recall() : Effect.NONE);
		}
	}

	/**
	 * Return whether another JVM is known to wait behind the owner. A reply may report
	 * this before or after the push does, so nothing ever resets it: the next attempt has
	 * another id.
	 */
	private boolean isWaitedBehind(OwnedLease owned) {
		return owned.attempt().id().equals(this.waitedBehind);
	}

	/**
	 * Revalidate the lock after the machine was suspended: the lease may be lost, or a
	 * push missed.
	 */
	void revalidate() {
		transit(() -> (this.owned != null) ? this.owned.revalidate() : requestAgainIfWaiting());
	}

	@Override
	public void downgrade(Hold hold) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		transit(() -> {
			OwnedLease owned = this.owned;
			return (owned != null && owned.isHeldBy(hold)) ? owned.downgrade(done) : () -> done.complete(null);
		});
		Hold.await(done);
	}

	// ---- retaining

	/**
	 * Keep the lock for the next caller, unless another JVM waits. The push about that
	 * JVM may arrive at the same time, without the mutex: either the push sees that the
	 * lock is retained, or this method sees the push.
	 */
	private boolean retain(OwnedLease owned, Hold last) {
		long now = now();
		if (this.alone || !owned.mayBeRetained(last, now) || !this.engine.isOpen() || isWaitedBehind(owned)
				|| !mayRetainAgain()) {
			return false;
		}
		owned.retain(last, now);
		return !isWaitedBehind(owned);
	}

	/**
	 * Return whether to retain the lock again: after retentions in vain, some releases
	 * pass without a retention.
	 */
	private boolean mayRetainAgain() {
		int releases = this.memory.releases();
		this.memory = this.memory.releases(Math.max(0, releases - 1));
		return releases == 0;
	}

	/** Give a retained lock to a caller, without a request to the store if possible. */
	private Effect retake(OwnedLease owned, Waiter waiter) {
		long now = now();
		if (owned.lease().isOver(now)) {
			return lose(owned, "its lease had run out while nobody held it", true);
		}
		long token = owned.mayBeRetaken(waiter, now) ? issueNext(owned.lease()) : -1;
		if (token < 0) {
			return owned.letGo();
		}
		owned.retake();
		grant(owned, waiter, token);
		return owned.passedOn(waiter.leaseMillis());
	}

	@Override
	public Effect idle(boolean idle) {
		LockQueue longest = this.engine.idle(this, idle);
		return (longest != null) ? longest::letGo : Effect.NONE;
	}

	/** Release the lock if nobody holds it. */
	void letGo() {
		transit(() -> letGoIf(true));
	}

	private Effect letGoIf(boolean condition) {
		return (condition && this.owned != null && this.owned.isRetained()) ? this.owned.letGo() : Effect.NONE;
	}

	/** Release a lock that may be retained, because another JVM wants it. */
	private Effect recall() {
		if (this.owned == null || !this.owned.isRetained()) {
			return Effect.NONE;
		}
		this.memory = this.memory.recalled(this.owned.isRetaken());
		return this.owned.letGo();
	}

	// ---- releasing

	@Override
	public void release(Hold hold, boolean confirmed) {
		CompletableFuture<Void> done = new CompletableFuture<>();
		if (end(hold, done)) {
			if (confirmed) {
				Hold.await(done);
			}
			this.engine.notifier().released(hold);
		}
	}

	@Override
	public CompletionStage<Void> releaseAsync(Hold hold, boolean confirmed) {
		if (!confirmed) {
			release(hold, false);
			return CompletableFuture.completedStage(null);
		}
		CompletableFuture<Void> done = new CompletableFuture<>();
		if (!end(hold, done)) {
			return CompletableFuture.completedStage(null);
		}
		LockNotifier notifier = this.engine.notifier();
		return done.thenRunAsync(() -> notifier.released(hold), notifier::deliver);
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
			return lose(owned, "its lease had run out before it was released", true).then(complete);
		}
		hold.released();
		Waiter next = first();
		long token = (next != null && mayPass(owned, hold, next)) ? issueNext(owned.lease()) : -1;
		boolean last = owned.remove(hold);
		if (next != null && token >= 0) {
			grant(owned, next, token);
			return owned.passedOn(next.leaseMillis()).then(complete);
		}
		if (!last || (next == null && retain(owned, hold))) {
			return complete;
		}
		return owned.release(hold, done);
	}

	private boolean mayPass(OwnedLease owned, Hold hold, Waiter next) {
		long now = now();
		boolean turnOver = isWaitedBehind(owned) && owned.ownedForNanos(now) >= this.turnNanos;
		return !turnOver && !isSliceOver(owned.lease().isPolled()) && owned.mayBePassed(hold, next, now);
	}

	private boolean isSliceOver(boolean polled) {
		return this.slice != null && polled && this.slice.isOver(now());
	}

	/**
	 * Send the next attempt without waiting for the reply, because the store executes the
	 * requests of one connection in order. If the two requests use different connections,
	 * the next attempt may find the lock busy, and acquires the lock through the release
	 * or through a later request.
	 */
	@Override
	public Effect releasing(OwnedLease owned) {
		return goOn(owned.lease().isPolled());
	}

	@Override
	public Effect unawaited() {
		if (this.slice == null) {
			return Effect.NONE;
		}
		boolean pausing = this.slice.isPausing();
		this.slice.reset();
		if (this.owned != null) { // the reply came before or after the state changed
			this.slice.owned(now());
		}
		if (this.state == State.ENDED) {
			return () -> this.engine.unawaited(this.lock, pausing);
		}
		return pausing ? requestAgainIfWaiting() : Effect.NONE;
	}

	/** Note that nobody waited for the lock when a former queue released it. */
	void unawaitedBefore(boolean pausing) {
		transit(() -> {
			if (this.owned != null && this.slice != null) {
				this.slice.owned(now());
			}
			return pausing ? requestAgainIfWaiting() : Effect.NONE;
		});
	}

	@Override
	public Effect released(OwnedLease owned, boolean confirmed, @Nullable Hold loser) {
		Hold kept = owned.kept();
		if (kept != null) {
			this.engine.keep(owned.attempt(), kept.keptUntilNanos());
		}
		if (!confirmed) {
			return () -> abandon(owned.lease());
		}
		this.engine.forget(owned.attempt());
		return (loser != null) ? notifyLost(owned, loser, "it was no longer owned when it was released") : Effect.NONE;
	}

	// ---- losing the lock

	/** Lose the lock that the store has taken away from an attempt. */
	void taken(String attempt, String reason, boolean mayBeOurs) {
		transit(() -> (this.owned != null && this.owned.isOwned() && this.owned.isOf(attempt))
				? lose(this.owned, reason, mayBeOurs) : Effect.NONE);
	}

	/** Take the lock away from its holders. */
	void takeAway(String reason) {
		transit(() -> (this.owned != null && this.owned.isHeld()) ? lose(this.owned, reason, true) : Effect.NONE);
	}

	@Override
	public void loseIfOver(Hold hold) {
		transit(() -> (this.owned != null && this.owned.isHeldBy(hold) && this.owned.lease().isOver(now()))
				? lose(this.owned, "its lease ran out", true) : Effect.NONE);
	}

	@Override
	public Effect lose(OwnedLease owned, String reason, boolean mayBeOurs) {
		List<Hold> losers = owned.lost();
		String loss = reason + ((losers.size() > 1) ? "; " + losers.size() + " holders" : "");
		Effect after = Effect.NONE;
		for (Hold loser : losers) {
			after = after.then(notifyLost(owned, loser, loss));
		}
		boolean released = mayBeOurs || owned.lease().isMaybeTakenLate();
		if (released) {
			after = after.then(() -> abandon(owned.lease()));
		}
		Effect next = goOn(owned.lease().isPolled());
		if (!released) {
			this.engine.forget(owned.attempt());
		}
		return after.then(next);
	}

	private Effect notifyLost(OwnedLease owned, Hold hold, String reason) {
		long now = now();
		LockLostException loss = new LockLostException(this.lock, reason + "; " + owned.lease().history(now),
				Duration.ofNanos(now - hold.sinceNanos()), hold.fencingToken());
		List<Runnable> callbacks = hold.lost(loss);
		return () -> this.engine.notifier().lost(hold, loss, callbacks);
	}

	/**
	 * Continue after the lease was lost, its release was sent, or the lease came too
	 * late. The waiters request the next lease, at once or after a pause for other JVMs
	 * that poll.
	 */
	private Effect goOn(boolean polled) {
		this.owned = null;
		Waiter first = first();
		if (first == null) {
			if (this.slice != null) {
				this.slice.unwanted(now());
			}
			finish();
			return Effect.NONE;
		}
		return (this.slice != null && isSliceOver(polled)) ? sendLater(first, this.slice.pause(now()))
				: send(newPending(first, now()), first);
	}

	private void abandon(PendingAcquire pending) {
		this.engine.abandon(pending.attempt(), !pending.isUnknown());
	}

	private void abandon(Lease lease) {
		this.engine.abandon(lease.attempt(), !lease.isMaybeTakenLate());
	}

	// ---- states

	@Override
	public void transit(Supplier<Effect> change) {
		Effect after;
		this.mutex.lock();
		try {
			after = change.get();
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
		this.engine.remove(this, this.memory);
	}

	@Override
	public long nanoTime() {
		return now();
	}

	@Override
	public void callBack(Runnable callback) {
		this.engine.notifier().callBack(callback);
	}

	private long now() {
		return this.clock.nanoTime();
	}

	private @Nullable Waiter first() {
		Iterator<Waiter> iterator = this.waiters.iterator();
		return iterator.hasNext() ? iterator.next() : null;
	}

	/** Refuse the callers that waited only for the next reply. */
	private void dismissLeaving() {
		this.waiters.removeIf((waiter) -> waiter.isLeaving() && waiter.complete(refusal()));
	}

	private boolean isShared() {
		return this.permits > 1 && !this.alone;
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
	 * What is remembered of a lock while nobody in this JVM wants it.
	 *
	 * @param seenToken the highest token that this JVM has issued, for all its queues of
	 * the lock
	 * @param slice for the exclusive holders of the lock, present if waiters of the store
	 * poll
	 * @param inVain how many releases passed without a retention after the last retention
	 * that was in vain
	 * @param releases how many releases have to pass before the next retention
	 */
	record Memory(AtomicLong seenToken, @Nullable TimeSlice slice, int inVain, int releases) {

		private static final int FEWEST = 16;

		private static final int MOST = 256;

		Memory(boolean polled) {
			this(new AtomicLong(), polled ? new TimeSlice() : null, 0, 0);
		}

		Memory releases(int releases) {
			return (releases == this.releases) ? this : new Memory(this.seenToken, this.slice, this.inVain, releases);
		}

		/**
		 * Note that another JVM waited for a lock that this JVM had retained, with use or
		 * in vain.
		 */
		Memory recalled(boolean ofUse) {
			int inVain = ofUse ? 0 : Math.min(Math.max(FEWEST, 2 * this.inVain), MOST);
			return new Memory(this.seenToken, this.slice, inVain, inVain);
		}

		/**
		 * Adopt the latest knowledge of a queue. The lock may have been forgotten
		 * meanwhile.
		 */
		Memory merge(Memory later) {
			this.seenToken.accumulateAndGet(later.seenToken.get(), Math::max);
			return new Memory(this.seenToken, this.slice, later.inVain, later.releases);
		}

	}

	/** What this JVM does about a lock. The page docs/engine.md shows the states. */
	enum State {

		/** No caller has requested the lock yet. */
		NEW,

		/** The store has a request for the lock and has not replied. */
		ACQUIRING,

		/** The store queues the attempt, or the next request waits for its time. */
		WAITING,

		/**
		 * An attempt owns the lock, until it is lost or its release is sent: there is an
		 * {@link OwnedLease}.
		 */
		OWNED,

		/** Nobody waits and nothing is owned. A new queue serves the next caller. */
		ENDED;

		boolean mayBecome(State next) {
			return switch (this) {
				case NEW -> next == ACQUIRING || next == WAITING;
				case ACQUIRING, WAITING -> next != NEW;
				case OWNED -> next == ACQUIRING || next == WAITING || next == ENDED;
				case ENDED -> false;
			};
		}

	}

}
